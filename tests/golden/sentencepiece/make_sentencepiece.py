"""What SentencePiece makes of texts: small models of its trainer, and the ids of its encoder.

    python3 make_sentencepiece.py    # writes <model>.model.gz and sentencepiece.json beside itself

Made with Debian's sentencepiece 0.2.2 (spm_train, spm_encode, spm_decode).
"""
import gzip
import json
import random
import subprocess
import tempfile
import unicodedata
from pathlib import Path

SENTENCES = """
The cat sat on the mat because it was tired.
A small model reads the whole sentence before it writes a word.
Attention tells which words a word looks at, and how much.
The weights of each row add up to one.
Every head has its own queries, keys and values.
Some heads look at the next word, some at the one before.
The animal did not cross the street because it was too wide.
Translation was the first task of these models, in 2017.
It reads 3.14, 1,000 and 42 as several pieces each.
Who wrote the letters that were found in the old house?
"Never again," said the teacher, and closed the heavy book.
We were waiting for the train that would take us home.
The longer the text, the more there is to remember.
He doesn't know that she isn't here; they've already left!
Reading, writing and walking are things that people learn.
고양이가 매트 위에 앉아 있다.
작은 모델은 낱말을 쓰기 전에 문장 전체를 읽는다.
어텐션은 낱말이 어느 낱말을 얼마나 보는지 알려 준다.
모든 행의 가중치를 더하면 1이 된다.
헤드마다 쿼리와 키와 값이 따로 있다.
어떤 헤드는 다음 낱말을 보고, 어떤 헤드는 앞 낱말을 본다.
그 동물은 길이 너무 넓어서 건너지 않았다.
오늘은 날씨가 좋아서 친구와 함께 산에 올라갔습니다.
어제 읽은 책의 내용을 아직도 기억하고 있어요.
한국어 문장은 조사와 어미가 많아서 조각이 여럿으로 나뉜다.
我喜欢在图书馆里读书。
这个模型把一种语言翻译成另一种语言。
今天的天气很好，我们去公园散步。
注意力告诉我们每个词看哪些词。
私は毎朝駅まで歩いて行きます。
この本はとても面白いので、もう一度読みたいです。
カタカナとひらがなと漢字を使います。
注意機構はどの単語を見るかを教えてくれる。
Кошка сидела на ковре, потому что устала.
Эта модель переводит тексты с одного языка на другой.
Внимание показывает, на какие слова смотрит слово.
Мы ждали поезда, который отвезёт нас домой.
Η γάτα κάθισε στο χαλί γιατί ήταν κουρασμένη.
Το μοντέλο διαβάζει ολόκληρη την πρόταση.
Κάθε λέξη κοιτάζει τις άλλες λέξεις.
جلست القطة على السجادة لأنها كانت متعبة.
يقرأ النموذج الجملة كلها قبل أن يكتب كلمة.
كل كلمة تنظر إلى الكلمات الأخرى.
החתול ישב על השטיח כי הוא היה עייף.
המודל קורא את כל המשפט לפני שהוא כותב מילה.
כל מילה מסתכלת על המילים האחרות.
बिल्ली चटाई पर बैठी क्योंकि वह थकी हुई थी।
यह मॉडल पूरा वाक्य पढ़ता है।
हर शब्द दूसरे शब्दों को देखता है।
แมวนั่งบนเสื่อเพราะมันเหนื่อย
แบบจำลองอ่านทั้งประโยคก่อนที่จะเขียนคำ
ทุกคำมองดูคำอื่น
Die Straße war naß und die Tür öffnete sich nicht.
Le garçon a mangé une crème brûlée à l'été.
Çocuk İstanbul'da ılık bir çay içti.
""".strip().split("\n")

SYMBOLS = ["<sep>", "[FIGURE 1]", "한국", "🙂", "the end", "ﬁn"]
MODELS = {
    "unigram-nmt_nfkc": "--vocab_size=700 --model_type=unigram --normalization_rule_name=nmt_nfkc",
    "unigram-symbols-unused": "--vocab_size=600 --model_type=unigram --normalization_rule_name=identity"
    " --control_symbols=<cls>,<mask> --pad_id=3 --user_defined_symbols=" + ",".join(SYMBOLS),
    "bpe-bytes": "--vocab_size=800 --model_type=bpe --normalization_rule_name=identity --byte_fallback=true"
    " --remove_extra_whitespaces=false --allow_whitespace_only_pieces=true --split_digits=true"
    " --user_defined_symbols=<sep>,🙂 --character_coverage=0.99",
    "unigram-nmt_nfkc_cf": "--vocab_size=700 --model_type=unigram --normalization_rule_name=nmt_nfkc_cf --unk_id=2 --bos_id=-1"
    " --eos_id=1 --pad_id=0 --user_defined_symbols=[A]",
    "unigram-bare": "--vocab_size=700 --model_type=unigram --normalization_rule_name=identity --remove_extra_whitespaces=false"
    " --add_dummy_prefix=false --byte_fallback=true --split_by_whitespace=false --allow_whitespace_only_pieces=true",
    "bpe-unused": "--vocab_size=800 --model_type=bpe --normalization_rule_name=identity --character_coverage=0.98"
    " --user_defined_symbols=<sep>,한국",
}

LETTERS = {
    "latin": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ àéîõüßœİıſ",
    "hangul": "가각간갇힣뷁쓰꿰매트고양이한국ㄱㅏㅎ ",
    "jamo": "\u1100\u1161\u11a8\u1112\u1175\u11c2\u115f\u1160 ",
    "han": "我喜欢图书馆读书猫漢字㐀𠀀𪚥 豈",
    "kana": "あいうがぱアイウガパｱｶﾞﾊﾟー々ゝ ",
    "cyrillic": "абвгдеёжзийкѝЀӁЯ ",
    "greek": "αβγδεζηθςσάΐϋᾳΆΩ ",
    "arabic": "ابتثجلأإآءىةﷺﻼ١٢٣\u064b\u0651\u0640 ",
    "hebrew": "אבגדהוזחטיםןשׁשּ\u05b0\u05b4\u05c1יִ ",
    "devanagari": "अआकखगघक़ड़\u093c\u094d\u093f\u0940\u0902१२ ",
    "thai": "กขคงจฉำ\u0e33\u0e34\u0e48\u0e49เแไๆ๑๒ ",
    "emoji": "🙂👍🏽👩\u200d👩\u200d👧🇰🇷🇯🇵❤\ufe0f#\ufe0f\u20e3☃🏴\U000e0067\U000e007f",
    "space": " \t\u00a0\u2003\u2009\u202f\u3000\u2028\r\u000b\u0085 ",
    "zero-width": "\u200b\u200c\u200d\ufeff\u00ad\u2060\u200e\u202e",
    "wide": "ＡＢＣａｂｃ０１２！？（）￥～",
    "ligatures": "ﬁﬂﬃﬀﬅǆǅ㎏㎢½⅓Ⅷ①⑳™℃ℵ²₃",
    "marks": "e\u0301\u0323a\u030a\u0308\u0327o\u031b",
    "signs": "!?.,;:()[]{}<>/\\|@#$%^&*-_=+'\"`~“”‘’—…「」。、0123456789▁▁",
    "controls": "\u0001\u0007\u001b\u007f\ufffd\ufffe\U0010ffff\ue000",
}
KINDS = list(LETTERS)


def texts():
    random_ = random.Random(20261128)
    words = [word for sentence in SENTENCES for word in sentence.split()]
    given = ["a", " ", "  ", "\t", " a", "a ", " a b  c ", "\u3000전각\u3000", "▁", "▁▁a", "a▁b", "<sep>", " <sep> ", "the end",
             "a<sep>b the end", "the  end", "<unk>", "한국어", "한국 한국", "[A]", "[a]", "x[FIGURE 1]y", "🙂🙂", "ﬁn", "ﬁne", "fin",
             "<0x41>", "각\u1100\u1161", "\u0301", " \u0301", "e\u0301", "가\u11a8", "ｶﾞ", "ﾞ", "\u200b", "a\u200bb", "\ufeffa", "☃☃☃ cat ☃",
             "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "11111111", "The cat sat on the mat.", "고양이가 매트 위에 앉아 있다."]
    while len(given) < 500:
        kind = random_.randrange(4)
        parts = []
        for _ in range(random_.randrange(1, 7)):
            if random_.random() < (0.25, 0.9, 0.6, 0.6)[kind]:
                parts.append(random_.choice(words))
            elif kind == 1:
                parts.append(random_.choice(SYMBOLS))
            else:
                letters = LETTERS[random_.choice(KINDS)]
                start = random_.randrange(len(letters))
                count = random_.randrange(1, 8)
                parts.append(letters[start:start + count] if kind == 2 else "".join(random_.choices(letters, k=count)))
        text = random_.choice(["", " ", "", "  "]).join(parts)
        if random_.random() < 0.1:
            text = random_.choice([" ", "   ", "\t"]) + text + random_.choice([" ", "   ", ""])
        if random_.random() < 0.1:
            text = unicodedata.normalize("NFD", text)
        if text and text not in given:
            given.append(text)
    return given


def run(*command, text=None, cwd=None):
    return subprocess.run(command, input=text, capture_output=True, check=True, cwd=cwd).stdout


def varint(value):
    return bytes([value]) if value < 128 else bytes([value % 128 + 128]) + varint(value >> 7)


def with_unused(model):
    """Every fifth piece that the trainer has found becomes one of those that are not used (type 5)."""
    place, count, result = 0, 0, b""
    while place < len(model) and model[place] == 0x0A:
        length = model[place + 1]
        piece = model[place + 2:place + 2 + length]
        place += 2 + length
        # The trainer leaves out the type of normal pieces.
        if piece[-2:-1] != b"\x18":
            count += 1
            if count % 5 == 0:
                piece += b"\x18\x05"
        result += b"\x0a" + varint(len(piece)) + piece
    return result + model[place:]


def main():
    here = Path(__file__).parent
    given = texts()
    lines = "\n".join(given).encode() + b"\n"
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus.txt")
        corpus.write_text("\n".join(SENTENCES * 3) + "\n")
        for name, options in MODELS.items():
            prefix = Path(folder, name)
            run("spm_train", "--input=corpus.txt", f"--model_prefix={name}", "--hard_vocab_limit=false", "--num_threads=1",
                *split(options), cwd=folder)
            model = prefix.with_name(name + ".model")
            if "unused" in name:
                model.write_bytes(with_unused(model.read_bytes()))
            unknown = options.split("--unk_id=")[1][0] if "--unk_id=" in options else "0"
            ids = run("spm_encode", f"--model={model}", "--output_format=id", text=lines).decode().split("\n")[:-1]
            pieces = run("spm_encode", f"--model={model}", "--output_format=piece", text=lines).decode().split("\n")[:-1]
            assert len(ids) == len(pieces) == len(given)
            for row, own in zip(ids, pieces):
                assert len(row.split()) == len(own.split(" ")) or not own, (row, own)
            # The text of each unknown piece; the file names the others.
            spelled = [[piece for piece, id in zip(own.split(" "), row.split(" ")) if id == unknown] for row, own in zip(ids, pieces)]
            # What unknown pieces are decoded to is not compared.
            whole = [i for i in range(100) if ids[i] and not spelled[i]]
            decoded = run("spm_decode", f"--model={model}", "--input_format=id", text="\n".join(ids[i] for i in whole).encode() + b"\n")
            results[name] = {"ids": ids, "unknown": {i: own for i, own in enumerate(spelled) if own},
                             "decoded": dict(zip(whole, decoded.decode().split("\n")[:-1], strict=True))}
            (here / f"{name}.model.gz").write_bytes(gzip.compress(model.read_bytes(), mtime=0))
    golden = json.dumps({"texts": given, "results": results}, ensure_ascii=False, indent=0)
    (here / "sentencepiece.json").write_text(golden + "\n")


def split(options):
    # Values may hold spaces.
    return [("--" + option).strip() for option in options.split("--") if option]


main()
