"""What of tokenizer_config.json counts beside tokenizer.json, and of its own sections, in transformers.

    python3 make_config.py > config.json

Made with transformers 5.12.1 and tokenizers 0.23.1 (Debian sid): the tokens that `AutoTokenizer` gives for `text`.
"""
import json
import tempfile

from tokenizers import pre_tokenizers
from transformers import AutoTokenizer
from transformers.models.qwen2.tokenization_qwen2 import PRETOKENIZE_REGEX

words = {t: i for i, t in enumerate("[PAD] [UNK] [CLS] [SEP] [MASK] the The cat ca ##t é e 猫 a猫".split())}
letters = {t: i for i, t in enumerate(["<s>", "</s>", "<mask>"] + sorted(pre_tokenizers.ByteLevel.alphabet()))}


def added(vocab, count):
    flags = {"special": True, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    return [{"id": i, "content": t, **flags} for t, i in vocab.items() if i < count]


def around(before, after, vocab):
    special = lambda tokens: [{"SpecialToken": {"id": t, "type_id": 0}} for t in tokens]
    single = special(before) + [{"Sequence": {"id": "A", "type_id": 0}}] + special(after)
    return {"type": "TemplateProcessing", "single": single, "pair": single + [{"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {t: {"id": t, "ids": [vocab[t]], "tokens": [t]} for t in before + after}}


def word_pieces(lowercase):
    return {
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": {"Fixed": 9}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"},
        "added_tokens": added(words, 5),
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": lowercase},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": around(["[CLS]"], ["[SEP]"], words),
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": words},
    }


def bytes_of(prefix, split):
    level = {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": True, "use_regex": not split}
    # That of Qwen, which its class has built in.
    pattern = {"type": "Split", "pattern": {"Regex": PRETOKENIZE_REGEX}, "behavior": "Isolated", "invert": False}
    return {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": added(letters, 3), "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [pattern, level]} if split else level,
        "post_processor": around(["<s>"], [], letters),
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": "", "end_of_word_suffix": "",
                  "fuse_unk": False, "byte_fallback": False, "ignore_merges": False, "vocab": letters, "merges": []},
    }


files = {"lower": word_pieces(True), "cased": word_pieces(False), "bytes": bytes_of(False, False), "prefixed": bytes_of(True, False), "split": bytes_of(False, True)}
cases = [
    (file, {"tokenizer_class": name, **config}, "bert", "The cat é a猫")
    for file in ("lower", "cased")
    for name in ("BertTokenizer", "BertTokenizerFast", "DistilBertTokenizer", "ElectraTokenizerFast", "PreTrainedTokenizerFast")
    for config in ({}, {"do_lower_case": True}, {"do_lower_case": False}, {"strip_accents": False}, {"tokenize_chinese_chars": False})
]
cases += [(file, {"do_lower_case": lower}, "bert", "The cat é a猫") for file in ("lower", "cased") for lower in (True, False)]
cases += [
    (file, {"tokenizer_class": name, "bos_token": "<s>", **config}, family, "a<mask>b c")
    for file in ("bytes", "prefixed", "split")
    for family, name in (("gpt2", "GPT2Tokenizer"), ("gpt2", "GPT2TokenizerFast"), ("qwen2", "Qwen2Tokenizer"), ("llama", "PreTrainedTokenizerFast"))
    for config in ({}, {"add_prefix_space": True}, {"add_prefix_space": False}, {"add_bos_token": False}, {"add_bos_token": True})
]
cases += [(file, {"add_prefix_space": prefix}, "gpt2", "a<mask>b c") for file in ("bytes", "prefixed") for prefix in (True, False)]


def tokens(file, config, family, text):
    with tempfile.TemporaryDirectory() as folder:
        for name, value in (("tokenizer", files[file]), ("tokenizer_config", config), ("config", {"model_type": family})):
            with open(f"{folder}/{name}.json", "w") as out:
                json.dump(value, out)
        made = AutoTokenizer.from_pretrained(folder)
        return " ".join(made.convert_ids_to_tokens(made(text)["input_ids"]))


rows = [json.dumps([file, config, text, tokens(file, config, family, text)], ensure_ascii=False) for file, config, family, text in cases]
print('{"files": ' + json.dumps(files, ensure_ascii=False) + ',\n"cases": [\n' + ",\n".join(rows) + "\n]}")
