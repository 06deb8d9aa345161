# What transformers' tokenizers and models make of pairs, batches, truncation and positions: the tiny models of ../models with
# tiny tokenizers. Eager attention, outputs in float64 (rotary
# models: float32) of float32 weights; of each case the last layer's first head and the
# last hidden state. `python3 make_inputs.py <folder of models> <folder of results>`
import json, os, shutil, sys, tempfile, warnings; warnings.filterwarnings('ignore')
import torch, transformers
from transformers import AutoModel, AutoTokenizer, BertTokenizer, GPT2Tokenizer
models, out = sys.argv[1:]
WORDS = '[PAD] [UNK] [CLS] [SEP] [MASK] the cat dog sat on mat it was tired a ran because . , ! ##s ##ing sleep run'.split()
def byte_level(special):
    words = ['Ġthe', 'Ġcat', 'Ġdog', 'Ġsat', 'Ġran']
    merges = list(dict.fromkeys((w[:i], w[i]) for w in words for i in range(1, len(w))))
    vocab = list(dict.fromkeys([*special, *'abcdefghijklmnopqrstuvwxyz.,!Ġ', *(a + b for a, b in merges)]))
    assert len(vocab) <= 61
    return {'vocab': {token: i for i, token in enumerate(vocab)}, 'merges': merges}
SPECIAL = ['<s>', '<pad>', '</s>', '<unk>', '<mask>']
A, B, C = 'the cat sat on the mat', 'it was tired', 'the dog ran because it was tired, the cat sat!'
TEXTS = [A, {'text': A, 'pair': B}, [A, B], [A, ''], {'texts': [B, C, A]}, {'texts': [[A, B], [B, A], [C, B], B]}]
CUT = [A, C, [A, B], [C, B], [B, C], [C, C], [A + ' cat', A], {'texts': [B, [C, A], C]}]
IDS = [[1, 1, 1, 7, 9, 11, 8, 30, 5], [6, 9, 12, 7, 40, 11, 8, 30, 5]]
LEFT = [[0, 0, 0, 1, 1, 1, 1, 1, 1], [1] * 9]
PLACES = [[1, 1, 1, 0, 1, 2, 3, 4, 5], list(range(9))]
PADDED = [{'inputIds': IDS, 'attentionMask': LEFT}, {'inputIds': IDS, 'attentionMask': LEFT, 'positionIds': PLACES}, {'inputIds': IDS, 'positionIds': [[3, 5, 4, 9, 0, 1, 30, 2, 2]] * 2}]
CASES = {
    'bert-10': (BertTokenizer, {'vocab': {word: i for i, word in enumerate(WORDS)}, 'model_max_length': 12}, TEXTS, CUT, PADDED),
    'electra-10': (BertTokenizer, {'vocab': {word: i for i, word in enumerate(WORDS)}, 'model_max_length': 11, 'padding_side': 'left', 'truncation_side': 'left'}, TEXTS, CUT, []),
    # Its tokenizer gives no token types, though the model has them.
    'albert-10': (BertTokenizer, {'tokenizer_class': 'PreTrainedTokenizerFast', 'vocab': {word: i for i, word in enumerate(WORDS)}}, TEXTS, [], PADDED[2:]),
    # Of pairs, RobertaProcessing gives both texts the type 0.
    'roberta-10': (GPT2Tokenizer, {'tokenizer_class': 'PreTrainedTokenizerFast', **byte_level(SPECIAL), 'unk_token': '<unk>', 'bos_token': '<s>', 'eos_token': '</s>', 'pad_token': '<pad>', 'model_max_length': 15, 'model_input_names': ['input_ids', 'token_type_ids', 'attention_mask']}, [A, [A, B], {'texts': [B, A]}], [A, [A, B], [C, B]], PADDED),
    'gpt2-10': (GPT2Tokenizer, {**byte_level(SPECIAL), 'unk_token': '<unk>', 'bos_token': '<s>', 'eos_token': '</s>', 'pad_token': '<pad>', 'padding_side': 'left', 'model_max_length': 16}, [A, [A, B], {'texts': [B, A]}], [C], PADDED),
    'distilbert-10': (None, {}, [], [], PADDED),
    'llama-10': (None, {}, [], [], PADDED), 'qwen3-11': (None, {}, [], [], PADDED), 'gemma3-10': (None, {}, [], [], PADDED),
}
def numbers(x): return {'shape': list(x.shape), 'data': [float(f'{v:.7g}') for v in x.detach().double().flatten().tolist()]}
def encoded(tokenizer, given, **options):
    if isinstance(given, dict) and 'texts' in given:
        # Rust's batches mix texts and pairs; transformers' do not, so it pads what it has encoded one by one.
        one = [encoded(tokenizer, text, **options) for text in given['texts']]
        return tokenizer.pad([{name: ids[0] for name, ids in e.items()} for e in one], padding=True)
    pair = [given['text'], given.get('pair')] if isinstance(given, dict) else [given, None] if isinstance(given, str) else given
    return {name: [ids] for name, ids in tokenizer(*pair, **options).items()}
for name, (cls, options, texts, cut, ids) in CASES.items():
    folder = tempfile.mkdtemp(); shutil.copytree(os.path.join(models, name), folder, dirs_exist_ok=True)
    to = os.path.join(out, name); os.makedirs(to, exist_ok=True)
    tokenizer = None
    if cls:
        changed = options.pop('tokenizer_class', None); cls(**options).save_pretrained(folder)
        read = lambda file: json.load(open(os.path.join(folder, file)))
        def write(file, value): json.dump(value, open(os.path.join(folder, file), 'w'))
        config = read('tokenizer_config.json')
        if changed: config['tokenizer_class'] = changed
        if config['model_max_length'] > 1e9: del config['model_max_length']
        write('tokenizer_config.json', config)
        if name == 'roberta-10': write('tokenizer.json', {**read('tokenizer.json'), 'post_processor': {'type': 'RobertaProcessing', 'sep': ['</s>', 2], 'cls': ['<s>', 0], 'trim_offsets': True, 'add_prefix_space': False}})
        tokenizer = AutoTokenizer.from_pretrained(folder)
        for file in ('tokenizer.json', 'tokenizer_config.json'):
            json.dump(json.load(open(os.path.join(folder, file))), open(os.path.join(to, file), 'w'), ensure_ascii=False, separators=(',', ':'))
    # In float64, transformers' rotary models give NaN everywhere once a query has no key, as padding on the left has none.
    dtype = torch.float64 if cls or name == 'distilbert-10' else torch.float32
    model = AutoModel.from_pretrained(folder, attn_implementation='eager', dtype=dtype).eval()
    cases = []
    for given, truncation in [*((t, False) for t in texts), *((t, True) for t in cut), *((t, False) for t in ids)]:
        if isinstance(given, dict) and 'inputIds' in given:
            keys = {'input_ids': 'inputIds', 'attention_mask': 'attentionMask', 'position_ids': 'positionIds'}
            inputs = {key: given[own] for key, own in keys.items() if own in given}
        else: inputs = dict(encoded(tokenizer, given, truncation=truncation))
        with torch.no_grad(): r = model(**{k: torch.tensor(v) for k, v in inputs.items()}, output_attentions=True, output_hidden_states=True)
        cases.append({'input': given, 'truncation': truncation, 'encoded': None if 'inputIds' in given else inputs, 'attention': numbers(r.attentions[-1][:, :1]), 'hidden': numbers(r.hidden_states[-1])})
    assert 'NaN' not in json.dumps(cases)
    json.dump({'transformers': transformers.__version__, 'cases': cases}, open(os.path.join(to, 'golden.json'), 'w'), separators=(',', ':'))
    print(name, type(tokenizer).__name__, len(cases), os.path.getsize(os.path.join(to, 'golden.json')) // 1024, 'kB')
