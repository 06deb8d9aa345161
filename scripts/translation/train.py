"""Trains the package's small model that translates between Korean and English, and measures it.

    python3 scripts/translation/train.py

It needs PyTorch and NumPy only, and takes one core. It writes the folder `data/translation`, and the pairs that the tests
translate: tests/golden/translation/held-out.json.
"""

import json
import math
import random
import struct
import sys
import time
import zlib
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from grammar import Sentence, Speaker, say

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / 'data/translation'
TESTED = ROOT / 'tests/golden/translation/held-out.json'

SEED = 1
PAD, END, UNKNOWN = range(3)
SPECIAL = ['<pad>', '</s>', '<unk>']
WIDTH, HEADS, INNER = 64, 4, 128
ENCODER_LAYERS, DECODER_LAYERS = 2, 1
MAX_LENGTH = 32

CORPUS, HELD_OUT, TESTED_PAIRS = 200_000, 1_500, 500
STEPS, BATCH, WARM_UP = 6_000, 128, 400
LEARNING_RATE, WEIGHT_DECAY, MAX_NORM, SMOOTHING = 3e-3, 0.01, 1.0, 0.1


def sentence_of(ko: str, en: str) -> Sentence:
    return Sentence([Speaker.word(word) for word in ko.split()], [(word, None) for word in en.split()], False)


# What the card and the tutorial show, which the grammar also says: never trained.
SHOWN = [
    sentence_of('고양이|가 매트 위|에 앉아 있다', 'the cat is sitting on the mat'),
    sentence_of('고양이|가 피곤|했기 때문에 매트 위|에 앉|았다', 'the cat sat on the mat because it was tired'),
    sentence_of('동물|이 피곤|했기 때문에 거리|를 건너|지 않았다', 'the animal did not cross the street because it was tired'),
    sentence_of(
        '할머니|께서 매트 위|에 앉아 있는 고양이|를 보|고 계시다',
        'the grandmother is watching the cat that is sitting on the mat',
    ),
    sentence_of('어제 소년|이 정원|에서 책|을 조용히 읽|었다', 'the boy read the book quietly in the garden yesterday'),
    sentence_of('소녀|가 그린 고양이|가 상자 안|에 앉아 있었다', 'the cat that the girl drew was sitting in the box'),
]
SHOWN_TEXTS = {sentence.texts() for sentence in SHOWN}


def is_held_out(sentence: Sentence) -> bool:
    texts = sentence.texts()
    return sentence.apart or texts in SHOWN_TEXTS or zlib.crc32(texts[0].encode()) % 40 == 0


def make_sentences() -> tuple[list[Sentence], list[Sentence], list[Sentence]]:
    """Those that are trained, and of those that are not: other ones, and those that say what none of them says."""
    rng = random.Random(SEED)
    parts: tuple[dict, dict, dict] = ({}, {one.texts()[0]: one for one in SHOWN}, {})
    most = (CORPUS, HELD_OUT * 2 // 3, HELD_OUT // 3)
    english: dict[str, str] = {}
    while any(len(part) < size for part, size in zip(parts, most)):
        sentence = say(rng)
        ko, en = sentence.texts()
        # One translation each way, or exact match would mean nothing.
        assert english.setdefault(en, ko) == ko, (ko, en, english[en])
        kind = 0 if not is_held_out(sentence) else 2 if sentence.apart else 1
        if len(parts[kind]) < most[kind]:
            assert parts[kind].setdefault(ko, sentence).texts()[1] == en
    return tuple(list(part.values()) for part in parts)


def pieces_of(sentence: Sentence) -> tuple[list, list]:
    return [piece for word in sentence.ko for piece in word], sentence.en


def split(word: str, vocabulary: dict[str, int]) -> list[str]:
    """WordPiece: always the longest piece that is known."""
    pieces, start = [], 0
    while start < len(word):
        ends = (end for end in range(len(word), start, -1) if ('##' if start else '') + word[start:end] in vocabulary)
        end = next(ends)
        pieces.append(('##' if start else '') + word[start:end])
        start = end
    return pieces


def make_vocabulary(sentences: list[Sentence]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for sentence in sentences:
        for text, _ in sum(pieces_of(sentence), []):
            counts[text] = counts.get(text, 0) + 1
    tokens = SPECIAL + sorted(counts, key=lambda text: (-counts[text], text))
    vocabulary = {token: i for i, token in enumerate(tokens)}
    for word in {tuple(text for text, _ in word) for sentence in sentences for word in sentence.ko}:
        assert split(''.join(word).replace('##', ''), vocabulary) == list(word), word
    return vocabulary


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        for name in ('k_proj', 'v_proj', 'q_proj', 'out_proj'):
            self.add_module(name, nn.Linear(WIDTH, WIDTH))

    def forward(self, x, memory, mask):
        batch, length, _ = x.shape
        heads = lambda y: y.view(batch, -1, HEADS, WIDTH // HEADS).transpose(1, 2)
        q, k, v = heads(self.q_proj(x)), heads(self.k_proj(memory)), heads(self.v_proj(memory))
        scores = q @ k.transpose(2, 3) * (WIDTH // HEADS) ** -0.5 + mask
        weights = scores.softmax(-1)
        return self.out_proj((weights @ v).transpose(1, 2).reshape(batch, length, WIDTH)), weights


class Layer(nn.Module):
    """Norms stand behind attention and feed-forward, as in Marian."""

    def __init__(self, is_decoder: bool):
        super().__init__()
        self.self_attn, self.self_attn_layer_norm = Attention(), nn.LayerNorm(WIDTH)
        if is_decoder:
            self.encoder_attn, self.encoder_attn_layer_norm = Attention(), nn.LayerNorm(WIDTH)
        self.fc1, self.fc2 = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.final_layer_norm = nn.LayerNorm(WIDTH)

    def forward(self, x, mask, memory=None, memory_mask=None):
        x = self.self_attn_layer_norm(x + self.self_attn(x, x, mask)[0])
        weights = None
        if memory is not None:
            seen, weights = self.encoder_attn(x, memory, memory_mask)
            x = self.encoder_attn_layer_norm(x + seen)
        return self.final_layer_norm(x + self.fc2(F.silu(self.fc1(x)))), weights


class Stack(nn.Module):
    def __init__(self, layers: int, is_decoder: bool):
        super().__init__()
        self.layers = nn.ModuleList(Layer(is_decoder) for _ in range(layers))


def sinusoids() -> torch.Tensor:
    """Marian's positions: all sines, then all cosines. They are computed, not stored."""
    angles = np.arange(MAX_LENGTH)[:, None] / 10_000 ** (2 * np.arange(WIDTH // 2) / WIDTH)
    return torch.tensor(np.concatenate([np.sin(angles), np.cos(angles)], 1), dtype=torch.float32)


class Translator(nn.Module):
    """Its parameters have the names of transformers' MarianMTModel."""

    def __init__(self, size: int):
        super().__init__()
        self.model = nn.Module()
        self.model.shared = nn.Embedding(size, WIDTH)
        self.model.encoder, self.model.decoder = Stack(ENCODER_LAYERS, False), Stack(DECODER_LAYERS, True)
        self.register_buffer('final_logits_bias', torch.zeros(1, size))
        self.register_buffer('positions', sinusoids(), persistent=False)
        self.register_buffer('causal', torch.full((MAX_LENGTH, MAX_LENGTH), -1e9).triu(1), persistent=False)
        nn.init.normal_(self.model.shared.weight, std=WIDTH**-0.5)
        for name, parameter in self.named_parameters():
            if name.endswith(('proj.weight', 'fc1.weight', 'fc2.weight')):
                nn.init.xavier_uniform_(parameter)
            elif name.endswith('.bias'):
                nn.init.zeros_(parameter)

    def embed(self, ids):
        return self.model.shared(ids) * WIDTH**0.5 + self.positions[: ids.shape[1]]

    def encode(self, ids):
        mask = (ids == PAD)[:, None, None] * -1e9
        x = self.embed(ids)
        for layer in self.model.encoder.layers:
            x, _ = layer(x, mask)
        return x, mask

    def decode(self, ids, memory, mask):
        """Logits, and the weights of cross-attention, a layer each."""
        length = ids.shape[1]
        x, all_weights = self.embed(ids), []
        for layer in self.model.decoder.layers:
            x, weights = layer(x, self.causal[:length, :length], memory, mask)
            all_weights.append(weights)
        return x @ self.model.shared.weight.T + self.final_logits_bias, all_weights

    @torch.no_grad()
    def translate(self, sources: list[list[int]]) -> list[list[int]]:
        """The likeliest token each time, as `generate` writes."""
        memory, mask = self.encode(padded(sources))
        ids = torch.full((len(sources), 1), PAD)
        while ids.shape[1] < MAX_LENGTH and not (ids == END).any(1).all():
            ids = torch.cat([ids, self.decode(ids, memory, mask)[0][:, -1:].argmax(-1)], 1)
        return [row[1 : row.index(END) + 1] if END in row else row[1:] for row in ids.tolist()]


def padded(rows: list[list[int]]) -> torch.Tensor:
    length = max(map(len, rows))
    return torch.tensor([row + [PAD] * (length - len(row)) for row in rows])


Pair = tuple[list[int], list[int]]


def encoded(sentences: list[Sentence], vocabulary: dict[str, int]) -> list[Pair]:
    ids = lambda pieces: [vocabulary[text] for text, _ in pieces] + [END]
    return [(ids(ko), ids(en)) for ko, en in map(pieces_of, sentences)]


def batches(pairs: list[Pair], rng: random.Random):
    """Half of each batch is read in Korean, half in English. Sentences of one batch are of similar length."""
    while True:
        order = rng.sample(range(len(pairs)), len(pairs))
        pools = [order[i : i + 32 * BATCH] for i in range(0, len(order), 32 * BATCH)]
        for pool in pools:
            pool.sort(key=lambda i: len(pairs[i][0]))
            some = [pool[i : i + BATCH] for i in range(0, len(pool), BATCH)]
            rng.shuffle(some)
            for one in some:
                rng.shuffle(one)
                yield [pairs[i][:: 1 if n % 2 else -1] for n, i in enumerate(one)]


def rate_at(step: int) -> float:
    if step < WARM_UP:
        return (step + 1) / WARM_UP
    return 0.5 + 0.5 * math.cos(math.pi * (step - WARM_UP) / (STEPS - WARM_UP))


def train(model: Translator, pairs: list[Pair], on_step=lambda step: None) -> list[float]:
    """The mean loss of each 1,000 steps."""
    optimizer = torch.optim.AdamW(model.parameters(), LEARNING_RATE, betas=(0.9, 0.98), weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate_at)
    data, losses = batches(pairs, random.Random(SEED)), []
    for step in range(STEPS):
        batch = next(data)
        source, target = padded([one for one, _ in batch]), padded([other for _, other in batch])
        begun = F.pad(target[:, :-1], (1, 0), value=PAD)
        logits, _ = model.decode(begun, *model.encode(source))
        loss = F.cross_entropy(
            logits.flatten(0, 1), target.flatten(), ignore_index=PAD, label_smoothing=SMOOTHING
        )
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        on_step(step)
    return [float(np.mean(losses[i : i + 1000])) for i in range(0, STEPS, 1000)]


def exact(model: Translator, pairs: list[Pair], way: int) -> list[bool]:
    """For each pair, whether its translation is the right one. `way` is what is read: 0 Korean, 1 English."""
    written = []
    for i in range(0, len(pairs), 250):
        written += model.translate([pair[way] for pair in pairs[i : i + 250]])
    return [ids == pair[1 - way] for ids, pair in zip(written, pairs)]


@torch.no_grad()
def alignment(model: Translator, sentences: list[Sentence], pairs: list[Pair], way: int):
    """Shares of content words written while looking most at the word that they translate; and of right tokens.

    The text that is written is given, so that a mistake does not change what follows. Of a Korean word only the stem counts.
    """
    hits, right, words, tokens = 0, 0, 0, 0
    for sentence, pair in zip(sentences, pairs):
        source, target = torch.tensor([pair[way]]), pair[1 - way]
        logits, weights = model.decode(torch.tensor([[PAD] + target[:-1]]), *model.encode(source))
        right += int((logits[0].argmax(-1) == torch.tensor(target)).sum())
        tokens += len(target)
        read, written = pieces_of(sentence)[:: 1 if way == 0 else -1]
        at = {link: i for i, (_, link) in enumerate(read) if link}
        # (layers · heads and the mean over the last layer's heads, T, S)
        looks = torch.cat([*(one[0] for one in weights), weights[-1].mean(1)]).argmax(-1)
        for t, (_, link) in enumerate(written):
            if link:
                hits = hits + (looks[:, t] == at[link]).double()
                words += 1
    return (hits / words).tolist(), right / tokens, words


def tokenizer(vocabulary: dict[str, int]) -> dict:
    flags = {'single_word': False, 'lstrip': False, 'rstrip': False, 'normalized': False}
    return {
        'version': '1.0',
        'added_tokens': [{'id': i, 'content': text, 'special': True, **flags} for i, text in enumerate(SPECIAL)],
        'normalizer': {'type': 'Sequence', 'normalizers': [{'type': 'NFC'}, {'type': 'Lowercase'}]},
        'pre_tokenizer': {
            'type': 'Sequence',
            'pretokenizers': [
                {'type': 'WhitespaceSplit'},
                {'type': 'Split', 'pattern': {'Regex': '[.,!?]'}, 'behavior': 'Removed', 'invert': False},
            ],
        },
        'post_processor': {
            'type': 'TemplateProcessing',
            'single': [{'Sequence': {'id': 'A', 'type_id': 0}}, {'SpecialToken': {'id': '</s>', 'type_id': 0}}],
            'pair': [
                {'Sequence': {'id': 'A', 'type_id': 0}},
                {'Sequence': {'id': 'B', 'type_id': 0}},
                {'SpecialToken': {'id': '</s>', 'type_id': 0}},
            ],
            'special_tokens': {'</s>': {'id': '</s>', 'ids': [END], 'tokens': ['</s>']}},
        },
        'decoder': {'type': 'WordPiece', 'prefix': '##', 'cleanup': False},
        'model': {
            'type': 'WordPiece',
            'unk_token': '<unk>',
            'continuing_subword_prefix': '##',
            'max_input_chars_per_word': 100,
            'vocab': vocabulary,
        },
    }


def config(size: int) -> dict:
    return {
        'architectures': ['MarianMTModel'],
        'model_type': 'marian',
        'vocab_size': size,
        'decoder_vocab_size': size,
        'share_encoder_decoder_embeddings': True,
        'tie_word_embeddings': True,
        'd_model': WIDTH,
        'encoder_layers': ENCODER_LAYERS,
        'decoder_layers': DECODER_LAYERS,
        'encoder_attention_heads': HEADS,
        'decoder_attention_heads': HEADS,
        'encoder_ffn_dim': INNER,
        'decoder_ffn_dim': INNER,
        'activation_function': 'swish',
        'scale_embedding': True,
        'max_position_embeddings': MAX_LENGTH,
        'dropout': 0.0,
        'is_encoder_decoder': True,
        'num_beams': 1,
        'bos_token_id': None,
        'pad_token_id': PAD,
        'eos_token_id': END,
        'forced_eos_token_id': END,
        'decoder_start_token_id': PAD,
        'torch_dtype': 'float16',
    }


def safetensors(tensors: dict[str, torch.Tensor]) -> bytes:
    header, data = {'__metadata__': {'format': 'pt'}}, b''
    for name, tensor in tensors.items():
        values = tensor.numpy().astype('<f2').tobytes()
        header[name] = {
            'dtype': 'F16',
            'shape': list(tensor.shape),
            'data_offsets': [len(data), len(data) + len(values)],
        }
        data += values
    text = json.dumps(header, separators=(',', ':')).encode()
    # The data begin at a multiple of 8 bytes.
    text += b' ' * (-len(text) % 8)
    return struct.pack('<Q', len(text)) + text + data


WAYS = ('ko-en', 'en-ko')


def measure(model: Translator, vocabulary: dict[str, int], other: list[Sentence], apart: list[Sentence]) -> dict:
    everything = other + apart
    pairs = encoded(everything, vocabulary)
    result = {}
    for way, name in enumerate(WAYS):
        right = exact(model, pairs, way)
        looks, tokens, words = alignment(model, everything, pairs, way)
        share = lambda some: round(sum(some) / len(some), 4)
        result[name] = {
            'exact': share(right),
            'exactOfOther': share(right[: len(other)]),
            'exactOfApart': share(right[len(other) :]),
            'tokens': round(tokens, 4),
            'alignedWords': words,
            'heads': [
                {'layer': i // HEADS, 'head': i % HEADS, 'aligned': round(one, 4)} for i, one in enumerate(looks[:-1])
            ],
            'meanOfLastLayer': round(looks[-1], 4),
        }
    return result


def text_of(ids: list[int], tokens: list[str]) -> str:
    return ' '.join(tokens[i] for i in ids if i != END).replace(' ##', '')


def percent(share: float) -> str:
    return f'{100 * share:.2f} %'


def card(numbers: dict) -> str:
    ways, sentences, best = numbers['ways'], numbers['sentences'], numbers['bestHead']
    there, back = (ways[name] for name in WAYS)
    row = lambda label, key: f'| {label} | {percent(there[key])} | {percent(back[key])} |'
    heads = [
        f'| layer {one["layer"] + 1}, head {one["head"] + 1} | {percent(one["aligned"])} | {percent(other["aligned"])} |'
        for one, other in zip(there['heads'], back['heads'])
    ]
    ko, en = SHOWN[0].texts()
    lines = [
        '---',
        'license: mit',
        'language: [ko, en]',
        '---',
        '',
        '# A model that translates simple sentences',
        '',
        f'`translation` is an encoder–decoder of the family Marian with {numbers["parameterCount"]} parameters. One model translates both',
        'ways: what it reads in Korean it writes in English, and the other way round. It shows where a decoder looks in a text of another',
        'word order, and is no translator of anything else. `scripts/translation/train.py` generates its sentences, trains it and',
        'measures all numbers on this page. `measures.json` contains them in full, and the tests translate again.',
        '',
        '```js',
        "import { loadModel } from 'multihead-attention/models';",
        '',
        "const model = await loadModel('translation');",
        f"const {{ text }} = await model.generate('{ko}');",
        f'console.log(text); // {en}',
        'model.dispose();',
        '```',
        '',
        '## Data',
        '',
        'A grammar (`scripts/translation/grammar.py`) says each sentence in both languages at once: who does what, where and when, adjectives,',
        'present, past and future, negation, relative clauses, and two clauses with *and* or *because*. English nouns always have',
        '*the*, so that every sentence has one translation and no two sentences have the same. Of',
        f'{sentences["trained"]} different sentences that are trained none is among the {sentences["heldOut"] + sentences["apart"]} that measure: {sentences["heldOut"]} that are',
        'chosen by a checksum, with the six that are shown below, and',
        f'{sentences["apart"]} that say an adjective of a noun, or a verb of an object, which no trained sentence says of it: *throw the box*.',
        '',
        f'The vocabulary has {numbers["vocabulary"]} tokens. Korean words are split into a stem and its particle or ending: 고양이 ##가. Capitals are',
        'read as small letters, and full stops not at all. The model knows only these words and patterns; other words become `<unk>`.',
        '',
        '## Training',
        '',
        f'- Model: d = {WIDTH}, {ENCODER_LAYERS} layers of {HEADS} heads read and {DECODER_LAYERS} of {HEADS} writes, feed-forward {INNER} (swish), sinusoidal positions, post-norm,',
        '  output tied to the shared token embedding; weights in float16',
        f'- Loss: cross-entropy with label smoothing {SMOOTHING}. No loss term depends on attention, and alignments are not trained',
        f'- Optimizer: {STEPS} steps of {BATCH} sentences, half of them in each direction, AdamW (weight decay {WEIGHT_DECAY}), learning rate',
        f'  {LEARNING_RATE} after {WARM_UP} steps of warm-up, then half-cosine decay, gradient norm at most {MAX_NORM}; seed {SEED}',
        f'- Training time: {numbers["seconds"]} s of one core with PyTorch {numbers["torch"]}',
        '',
        '## Accuracy',
        '',
        'Greedy translations of sentences that were not trained; a sentence is right if every word is.',
        '',
        '| | Korean → English | English → Korean |',
        '| --- | --- | --- |',
        row('sentences', 'exact'),
        row('those chosen by checksum', 'exactOfOther'),
        row('those that say what no trained sentence says', 'exactOfApart'),
        row('tokens, behind the right ones', 'tokens'),
        '',
        *[f'- {source} → {written}' for source, written in numbers['examples']],
        '',
        f'Of the {TESTED_PAIRS} pairs that the tests translate, wrong are:',
        '',
        *([f'- {source} → {written}' for name in WAYS for source, written in numbers['tested'][name]['wrong'].items()] or ['- none']),
        '',
        '## Where it looks',
        '',
        'The share of content words (nouns, verbs, adjectives, adverbs, words of time, *on* and 위) that cross-attention writes while looking',
        'most at the word that they translate; of a Korean word only the stem counts.',
        '',
        '| | Korean → English | English → Korean |',
        '| --- | --- | --- |',
        *heads,
        row('mean of the heads of the last layer', 'meanOfLastLayer'),
        '',
        f'The head that aligns best in both directions is head {best["head"] + 1} of layer {best["layer"] + 1}. A high share does',
        'not prove that the model needs the head for this.',
    ]
    return '\n'.join(lines) + '\n'


def main() -> None:
    # One thread adds in one order.
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    trained, other, apart = make_sentences()
    vocabulary = make_vocabulary(trained)
    tokens = list(vocabulary)
    model = Translator(len(vocabulary))
    begun = time.process_time()
    losses = train(model, encoded(trained, vocabulary), lambda step: step % 100 or print(step, file=sys.stderr))
    seconds = round(time.process_time() - begun)
    model.load_state_dict({name: tensor.half().float() for name, tensor in model.state_dict().items()})

    ways = measure(model, vocabulary, other, apart)
    both_ways = [min(pair, key=lambda one: one['aligned']) for pair in zip(*(ways[name]['heads'] for name in WAYS))]
    best = max(both_ways, key=lambda one: one['aligned'])
    # The shown sentences first, then of both kinds.
    tested = other[: TESTED_PAIRS * 2 // 3] + apart[: TESTED_PAIRS - TESTED_PAIRS * 2 // 3]
    pairs = encoded(tested, vocabulary)
    wrong = {}
    for way, name in enumerate(WAYS):
        written = model.translate([pair[way] for pair in pairs])
        wrong[name] = {
            text_of(pair[way], tokens): text_of(ids, tokens) for ids, pair in zip(written, pairs) if ids != pair[1 - way]
        }
    shown = [(way, texts) for one in SHOWN for way, texts in zip(WAYS, (one.texts(), one.texts()[::-1]))]
    numbers = {
        'parameterCount': sum(tensor.numel() for tensor in model.state_dict().values()),
        'vocabulary': len(vocabulary),
        'sentences': {'trained': len(trained), 'heldOut': len(other), 'apart': len(apart)},
        'steps': STEPS,
        'seconds': seconds,
        'torch': torch.__version__,
        'losses': [round(loss, 4) for loss in losses],
        'ways': ways,
        'bestHead': {'layer': best['layer'], 'head': best['head']},
        'examples': [(source, wrong[way].get(source, right)) for way, (source, right) in shown],
        # Of the pairs in tests/golden/translation/held-out.json: what is written instead of the translation.
        'tested': {name: {'exact': len(tested) - len(wrong[name]), 'wrong': wrong[name]} for name in WAYS},
    }
    FOLDER.mkdir(exist_ok=True)
    TESTED.parent.mkdir(exist_ok=True)
    (FOLDER / 'model.safetensors').write_bytes(safetensors(model.state_dict()))
    for name, content in (
        ('config', config(len(vocabulary))),
        ('tokenizer', tokenizer(vocabulary)),
        ('measures', numbers),
    ):
        (FOLDER / f'{name}.json').write_text(json.dumps(content, ensure_ascii=False, indent=1) + '\n')
    (FOLDER / 'README.md').write_text(card(numbers))
    lines = [json.dumps(one.texts(), ensure_ascii=False) for one in tested]
    TESTED.write_text('[\n' + ',\n'.join(lines) + '\n]\n')


if __name__ == '__main__':
    main()
