"""Small tokenizers of each kind, and what the Rust library `tokenizers` makes of texts with them.

    python3 make_tokenizers.py > tokenizers.json

Made with tokenizers 0.23.1 (Debian sid, python3-tokenizers). Texts are drawn with seed 0 from ten scripts; vocabularies
are trained on every other text, so that some words are unknown. `ids` are of `encode(text)`, `decoded` of
`decode(ids)`, `bytes` of byte tokens that make no whole characters.
"""
import base64
import json
import random
import struct

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

WORDS = (
    "The cat sat. isn't naïve—café? ÀÉÎ ß ŒUVRE İstanbul ﬁne Ａｌｌ ½ ① ² 3.14 1,000 ... don't rock’n’roll state-of-the-art "
    "x<tag>y <tag> foo foobar FOO foo. a_b #@!? ``q'' ΟΔΥΣΣΕΥΣ ΣΑΣ Σ ΑΣ. ὈΔΥΣΣΕΎΣ λόγος Привет МИР Ёлка שלום עוֹלָם "
    "مرحبا السَّلام ١٢٣ नमस्ते क्षि हिन्दी १२ สวัสดี ไทย ๓ 我喜欢 猫 𠀀𪚥 漢字 かな カナ ｶﾞ ガ が 고양이가 매트 위에 앉았다 ㄱㄴ "
    "고양이 각 가 👩‍👩‍👧 🇰🇷 👍🏽 ☃ 🙂🙂 ①② Ⅷ ª ǅ ŉ e\u0301 a\u0301\u0323 Å ▁x ##y [MASK] [UNK] "
    "\U0002b830x \U0002b930x zero\u200bwidth joi\u200dner so\u00adft nb\u00a0sp \ufeffbom n\u0085l \u2028 ctrl\u0007 nul\u0000x \u3000 \ufffd <0x41> "
    "\u1e9e \u0149 \u01c5 \u2126 \u0600 \u180e \u2060 \ue000 \u0378 \U000e0020 \ufb2c \ufdfa ㍿ ㌔"
).split(" ")
SPACES = [" ", " ", " ", " ", "", "  ", "\n", "\t", "\r\n", "\u3000"]


def texts():
    draw = random.Random(0)
    singles = list(WORDS)
    mixed = []
    for _ in range(170):
        count = draw.randint(2, 7)
        mixed.append("".join(draw.choice(WORDS) + draw.choice(SPACES) for _ in range(count)))
    edge = ["", " ", "  a  b  ", "a" * 101, "\n\n", "foo", " foo ", "foofoo foo", "[MASK]foo", "a [MASK] b", "Σ", "ΑΣ’Σ ΑΣ'", "ΑΣ\u0301 ΑΣ\u00adΑ"]
    return list(dict.fromkeys(edge + singles + mixed))


def charsmap(table):
    """A double array (Darts-clone), and the texts that it points to, as SentencePiece writes them."""
    blob, trie = b"", {}
    for key, value in table.items():
        node = trie
        for byte in key.encode():
            node = node.setdefault(byte, {})
        node[None] = len(blob)
        blob += value.encode() + b"\0"
    units, taken = {0: 0}, {0}

    def place(node, position):
        labels = [0 if label is None else label for label in node]
        base = next(b for b in range(1, 1 << 20) if all((b ^ label) not in taken for label in labels))
        taken.update(base ^ label for label in labels)
        units[position] |= (position ^ base) << 10 | (1 << 8 if None in node else 0)
        for label, child in node.items():
            if label is None:
                units[base] = child | 1 << 31
            else:
                units[base ^ label] = label
        for label, child in node.items():
            if label is not None:
                place(child, base ^ label)

    place(trie, 0)
    array = struct.pack(f"<{1024 + max(units)}I", *(units.get(i, 0) for i in range(1024 + max(units))))
    return base64.b64encode(struct.pack("<I", len(array)) + array + blob).decode()


CHARSMAP = {"ﬁ": "fi", "Ａ": "A", "ｌ": "l", "½": "1⁄2", "①": "1", "㌔": "キロ", "e\u0301": "é", "e": "E!", "\u1100\u1161": "가",
            "\u1100\u1161\u11a8": "각", "\t": " ", "\u3000": " ", "\u200b": " ", "\u00ad": "", "ｶﾞ": "ガ", "か\u3099": "が", "👍": "+1", "\n": " ",
            "\r": " ", "å": "aa", "क": "ka", "Ω": "Ω"}

SPECIAL = ["[UNK]", "[CLS]", "[SEP]", "[MASK]"]
ADDED = [AddedToken("foo", single_word=True, normalized=True), AddedToken("<tag>", lstrip=True, rstrip=True, normalized=False)]


def tokenizer(model, trainer, normalizer=None, pre=None, decoder=None, around=True, added=ADDED, **change):
    made = Tokenizer(model)
    if normalizer:
        made.normalizer = normalizer
    if pre:
        made.pre_tokenizer = pre
    if decoder:
        made.decoder = decoder
    made.train_from_iterator(texts()[::2], trainer)
    made.add_tokens(added)
    if around:
        ids = [(token, made.token_to_id(token)) for token in ("[CLS]", "[SEP]")]
        made.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=ids)
    data = json.loads(made.to_str())
    data["model"].update(change)
    return data


def bpe(**options):
    return models.BPE(unk_token="[UNK]", **options)


def bpe_trainer(**options):
    return trainers.BpeTrainer(vocab_size=500, min_frequency=2, special_tokens=SPECIAL, show_progress=False, **options)


def words(**steps):
    trainer = trainers.WordLevelTrainer(vocab_size=150, special_tokens=SPECIAL, show_progress=False)
    return tokenizer(models.WordLevel(unk_token="[UNK]"), trainer, around=False, **steps)


BYTES = ["<0x%02X>" % byte for byte in range(256)]
alphabet = pre_tokenizers.ByteLevel.alphabet()
pattern = Regex(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
P, N = pre_tokenizers, normalizers


def wordpiece(normalizer):
    return tokenizer(models.WordPiece(unk_token="[UNK]"), trainers.WordPieceTrainer(vocab_size=400, special_tokens=SPECIAL, show_progress=False),
                     normalizer, P.BertPreTokenizer(), decoders.WordPiece())


def byte_fallback(**steps):
    made = tokenizer(bpe(byte_fallback=True, fuse_unk=True), trainers.BpeTrainer(vocab_size=450, limit_alphabet=40, special_tokens=SPECIAL + BYTES, show_progress=False),
                     decoder=decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]), **steps)
    # In SentencePiece's files bytes are no added tokens.
    made["added_tokens"] = [token for token in made["added_tokens"] if not token["content"].startswith("<0x")]
    return made


def unigram(**steps):
    trainer = trainers.UnigramTrainer(vocab_size=350, special_tokens=SPECIAL, unk_token="[UNK]", show_progress=False)
    return tokenizer(models.Unigram(), trainer, decoder=decoders.Metaspace(), **steps)


def with_charsmap(data):
    data["normalizer"] = {"type": "Precompiled", "precompiled_charsmap": charsmap(CHARSMAP)}
    return data


tokenizers = {
    "WordPiece, lower case": wordpiece(N.BertNormalizer()),
    "WordPiece, case kept": wordpiece(N.BertNormalizer(lowercase=False, strip_accents=True, handle_chinese_chars=False)),
    "BPE of bytes, as GPT-2": tokenizer(bpe(), bpe_trainer(initial_alphabet=alphabet), None, P.ByteLevel(add_prefix_space=True), decoders.ByteLevel(), around=False),
    "BPE of bytes, as Llama 3": tokenizer(bpe(), bpe_trainer(initial_alphabet=alphabet), N.NFC(),
                                          P.Sequence([P.Split(pattern, "isolated"), P.ByteLevel(add_prefix_space=False, use_regex=False)]), decoders.ByteLevel(), ignore_merges=True),
    "BPE with bytes, as Llama 2": byte_fallback(normalizer=N.Sequence([N.Prepend("▁"), N.Replace(" ", "▁")])),
    "BPE with bytes, as Gemma": byte_fallback(normalizer=N.Replace(" ", "▁"), pre=P.Split(" ", "merged_with_previous")),
    "BPE, a space at the start": byte_fallback(pre=P.Metaspace(prepend_scheme="first", split=False)),
    "BPE, unknown fused": tokenizer(bpe(fuse_unk=True), bpe_trainer(limit_alphabet=60), N.NFKC(), P.Metaspace(prepend_scheme="never"), decoders.Metaspace(prepend_scheme="never")),
    "BPE, unknown one by one": tokenizer(bpe(end_of_word_suffix="</w>"), bpe_trainer(limit_alphabet=60, end_of_word_suffix="</w>"), N.Sequence([N.NFD(), N.StripAccents(), N.Lowercase(), N.Strip()]),
                                         P.Whitespace(), decoders.BPEDecoder()),
    "Unigram, charsmap": with_charsmap(unigram(pre=P.Sequence([P.WhitespaceSplit(), P.Metaspace()]))),
    "Unigram, as ALBERT": unigram(normalizer=N.Sequence([N.Replace("``", '"'), N.Replace("''", '"'), N.NFKD(), N.StripAccents(), N.Lowercase(), N.Replace(Regex(" {2,}"), " ")]),
                                  pre=P.Metaspace()),
    "words": words(normalizer=N.Lowercase(), pre=P.Whitespace()),
    "words and digits": words(normalizer=N.NFKD(), pre=P.Sequence([P.WhitespaceSplit(), P.Digits(individual_digits=True)])),
    "words and runs of digits": words(pre=P.Sequence([P.Punctuation("contiguous"), P.Digits()])),
    **{f"split, {behavior}{', inverted' if invert else ''}": words(pre=P.Split(Regex(r"[^\w]+") if invert else Regex(r"\s|[aeи이]"), behavior, invert))
       for behavior in ("removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous") for invert in (False, True)},
    **{f"marks, {behavior}": words(pre=P.Punctuation(behavior)) for behavior in ("removed", "isolated", "merged_with_previous", "merged_with_next")},
}

INVALID = ["<0xEC>", "<0x96>", "a", "<0xE2>", "<0x98>", "<0x83>", "<0xFF>", "<0xEF>", "<0xBB>", "<0xBF>", "▁▁", "▁a"]
results = {}
for name, data in tokenizers.items():
    made = Tokenizer.from_str(json.dumps(data))
    encoded = [made.encode(text) for text in texts()]
    invalid = [i for i in map(made.token_to_id, INVALID) if i is not None]
    results[name] = {
        "tokenizer": data,
        "ids": [" ".join(map(str, e.ids)) for e in encoded],
        "decoded": [made.decode(e.ids) for e in encoded][::3],
        "bytes": [invalid, made.decode(invalid)],
    }
print(json.dumps({"texts": texts(), "results": results}, ensure_ascii=False, separators=(",", ":")))
