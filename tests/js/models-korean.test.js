/**
 * Korean models in the forms in which they are published: the same names of files, fields of config.json, kinds of tokenizer,
 * names and types of tensors, with tiny vocabularies and random weights.
 *
 * | model                                 | weights                          | tokenizer                                    |
 * | ------------------------------------- | -------------------------------- | -------------------------------------------- |
 * | `lassl/bert-ko-small`                 | `bert.…`, two heads, F32 and I64 | tokenizer.json, vocab.txt                    |
 * | `beomi/kcbert-base`                   | `bert.…`, head, F32              | vocab.txt alone, without a class             |
 * | `klue/bert-base`                      | `bert.…`, head, F32 and I64      | tokenizer.json, vocab.txt                    |
 * | `skt/A.X-Encoder-base`                | `model.…`, head, 16 bits         | tokenizer.json, vocab.txt                    |
 * | `gogamza/kobart-base-v2`              | one table of tokens, F32         | tokenizer.json (BPE), vocab.json, merges.txt |
 * | `Helsinki-NLP/opus-mt-ko-en`          | F32, in the revision `refs/pr/2` | source.spm, target.spm, vocab.json           |
 * | paraphrase-multilingual-MiniLM-L12-v2 | no prefix, F32 and I64           | tokenizer.json (Unigram)                     |
 * | `monologg/kobert`                     | no prefix, F32                   | tokenizer_78b3253a26.model, vocab.txt        |
 * | `skt/kobert-base-v1`                  | F32, in the revision `refs/pr/1` | spiece.model alone: not read                 |
 *
 * Known from the hub's pages of these repositories: names and sizes of files, types of tensors, and the fields of
 * tokenizer_config.json of kcbert, kobert and kobert-base-v1, of config.json of klue and kobert-base-v1. Other fields of
 * config.json are those of models trained from them (`_name_or_path`); where tokenizer.json is too large for such a page, its
 * steps are those of the class that transformers writes. Names of tensors are those of the class in `architectures`; that
 * of bert-ko-small is told by the label `pretraining`.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { loadModel, loadModelInWorker } from 'multihead-attention/models';
import { inPackage } from './consumer.js';
import { bitsOfType, filesOf, readJson } from './model-files.js';
import { serve } from './model-server.js';
import { CONTROL, NORMAL, protoOf, UNKNOWN } from './sentencepiece-proto.js';

const { readSentencePiece } = await import(inPackage('dist/models/sentencepiece-file.js'));

/** The table of characters `nmt_nfkc`, SentencePiece's own. */
const { charsmap } = readSentencePiece(
  new Uint8Array(
    gunzipSync(readFileSync(new URL('../golden/sentencepiece/unigram-nmt_nfkc.model.gz', import.meta.url))),
  ),
  'unigram-nmt_nfkc.model',
);

/** Numbers from −0.5 to 0.5. */
function* randomNumbers() {
  for (let state = 1; ; state = (state * 48_271) % 2_147_483_647) yield state / 2_147_483_647 - 0.5;
}

const bytesOfType = {
  ...bitsOfType,
  F32: (values) => values,
  I64: (values) => BigInt64Array.from(values, (_, i) => BigInt(i)),
};

/**
 * Random weights with the tensors of a tiny model.
 *
 * @param words rows of its vocabulary
 * @param rename gives the name of a tensor in this form; null where it has none
 * @param more further tensors: `[name, shape, dtype]`
 */
function weightsOf(name, { words, rename = (tensor) => tensor, dtype = 'F32', more = [] }) {
  const random = randomNumbers();
  const { vocab_size: from } = readJson(name, 'config.json');
  return filesOf(name, (parts) => {
    const own = Object.entries(parts.header)
      .filter(([tensor]) => tensor !== '__metadata__')
      .map(([tensor, { shape }]) => [rename(tensor), shape.map((n) => (n === from ? words : n)), dtype])
      .filter(([tensor]) => tensor !== null);
    let end = 0;
    const pieces = [...own, ...more].map(([tensor, shape, type]) => {
      const values = Float32Array.from({ length: shape.reduce((a, b) => a * b) }, () => random.next().value);
      const { buffer } = bytesOfType[type](values);
      return [tensor, { dtype: type, shape, data_offsets: [end, (end += buffer.byteLength)] }, buffer];
    });
    parts.header = {
      __metadata__: { format: 'pt' },
      ...Object.fromEntries(pieces.map(([tensor, entry]) => [tensor, entry])),
    };
    parts.data = Buffer.concat(pieces.map(([, , buffer]) => Buffer.from(buffer)));
  }).weights;
}

/** The sizes of the tiny models in `golden/`, under the names of config.json. */
const sizesOf = (name, fields) =>
  Object.fromEntries(fields.map((field) => [field, readJson(name, 'config.json')[field]]));

const BERT = {
  ...{ attention_probs_dropout_prob: 0.1, hidden_act: 'gelu', hidden_dropout_prob: 0.1 },
  ...{ initializer_range: 0.02, layer_norm_eps: 1e-12, model_type: 'bert', type_vocab_size: 2 },
  ...sizesOf('bert-10', ['hidden_size', 'intermediate_size', 'max_position_embeddings']),
  ...sizesOf('bert-10', ['num_attention_heads', 'num_hidden_layers']),
};
const { hidden_size: width, max_position_embeddings: positions } = BERT;
const POOLER = [
  ['pooler.dense.weight', [width, width], 'F32'],
  ['pooler.dense.bias', [width], 'F32'],
];
const POSITION_IDS = [['embeddings.position_ids', [1, positions], 'I64']];
/** `BertModel` has no head for masks. */
const ofBertModel = (tensor) => (tensor.startsWith('bert.') ? tensor.slice(5) : null);
const under = (prefix, tensors) => tensors.map(([name, ...rest]) => [prefix + name, ...rest]);

const linesOf = (words) => `${words.join('\n')}\n`;
const numbered = (words) => Object.fromEntries(words.map((word, id) => [word, id]));

const special = (content, id) => ({
  ...{ id, content, single_word: false, lstrip: false, rstrip: false },
  ...{ normalized: false, special: true },
});

const template = (before, after, words) => ({
  type: 'TemplateProcessing',
  single: [before, 'A', after].map((id) =>
    id === 'A' ? { Sequence: { id, type_id: 0 } } : { SpecialToken: { id, type_id: 0 } },
  ),
  pair: [],
  special_tokens: Object.fromEntries(
    [before, after].map((id) => [id, { id, ids: [words.indexOf(id)], tokens: [id] }]),
  ),
});

// BERT's tokens, and what is read of "고양이가 BERT 위에 앉았다.": a word is its longest beginnings, a mark a word.
const sentence = '고양이가 BERT 위에 앉았다.';
const words = [
  ...['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'],
  ...['고양', '고양이', '##이', '##가', 'BERT', 'bert', '위', '##에', '앉', '##았', '##았다', '##다', '.'],
];
const spelled = '[CLS] 고양이 ##가 BERT 위 ##에 앉 ##았다 . [SEP]';

/** `tokenizer.json` as transformers writes it of BERT's class. */
const wordPiece = {
  ...{ version: '1.0', truncation: null, padding: null },
  added_tokens: words.slice(0, 5).map(special),
  normalizer: {
    ...{ type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true },
    ...{ strip_accents: null, lowercase: false },
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: template('[CLS]', '[SEP]', words),
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    ...{ type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##' },
    ...{ max_input_chars_per_word: 100, vocab: numbered(words) },
  },
};
const tokensOfBert = {
  ...{ unk_token: '[UNK]', sep_token: '[SEP]', pad_token: '[PAD]', cls_token: '[CLS]', mask_token: '[MASK]' },
};
const bertSettings = {
  ...{ do_lower_case: false, tokenize_chinese_chars: true, strip_accents: null, model_max_length: 512 },
  ...tokensOfBert,
};

// KoBERT's published example (README of monologg/KoBERT-Transformers and of SKTBrain/KoBERT): pieces and ids.
const koBert = {
  sentence: '한국어 모델을 공유합니다.',
  spelled: '[CLS] ▁한국 어 ▁모델 을 ▁공유 합니다 . [SEP]',
  ids: [2, 4958, 6855, 2046, 7088, 1050, 7843, 54, 3],
};
const koBertWords = Array.from({ length: 8002 }, (_, id) => `▁줄${id}`);
koBertWords.splice(0, 5, '[UNK]', '[PAD]', '[CLS]', '[SEP]', '[MASK]');
for (const [i, piece] of koBert.spelled.split(' ').entries()) koBertWords[koBert.ids[i]] = piece;
/** Letters of which it is spelled in another way, and what the published ids don't need. */
const others = [...'한국모델공유합니다', '▁', '2,', '0,', '2', '0', '▁2', '00', '▁café', '▁cafe', '1'];
for (const [i, piece] of others.entries()) koBertWords[100 + i] = piece;
/** Its own order is another than that of vocab.txt; longer pieces are the likelier. */
const koBertModel = protoOf(
  [
    ['[UNK]', UNKNOWN],
    ...['[PAD]', '[CLS]', '[SEP]', '[MASK]'].map((text) => [text, CONTROL]),
    ...[...koBert.spelled.split(' ').slice(1, -1), ...others].map((text) => [
      text,
      NORMAL,
      -10 + text.length / 9,
    ]),
  ],
  {},
  { 2: [...charsmap] },
);
const koBertSettings = {
  ...{ model_max_length: 512, max_len: 512, do_lower_case: false, tokenizer_class: 'KoBertTokenizer' },
  auto_map: { AutoTokenizer: Array(2).fill('tokenization_kobert.KoBertTokenizer') },
};

// Marian reads Korean by one file and writes English by another, with ids for both in vocab.json.
const marianPieces = (pieces) =>
  protoOf([
    ['<unk>', UNKNOWN],
    ['<s>', CONTROL],
    ['</s>', CONTROL],
    ...pieces.map((text) => [text, NORMAL, -10 + text.length / 9]),
  ]);
const [korean, english] = [
  ['▁고양이', '가', '▁매트', '▁위', '에', '▁앉', '았다', '.', '▁'],
  ['▁The', '▁cat', '▁s', 'at', '▁on', '▁the', '▁mat', '.', '▁', "'", 's'],
];
/** As many as the tiny model has: the last is for padding, and begins what is written. */
const marianWords = ['</s>', '<unk>', '<s>', ...new Set([...korean, ...english])];
while (marianWords.length < 60) marianWords.push(`▁w${marianWords.length}`);
marianWords.push('<pad>');

const DECODERS = [
  ...['activation_function', 'd_model', 'decoder_attention_heads', 'decoder_ffn_dim', 'decoder_layers'],
  ...['encoder_attention_heads', 'encoder_ffn_dim', 'encoder_layers'],
];

/** BPE by characters, with a mark for spaces. */
const merges = ['▁ 고', '▁고 양', '▁고양 이', '▁ 위', '앉 았', '앉았 다', '앉았다 .'];
const bpeWords = [
  ...['<s>', '</s>', '<unused0>', '<pad>', '<unused1>', '<unk>', '<mask>'],
  ...['▁', '고', '양', '이', '가', '위', '에', '앉', '았', '다', '.', '😀'],
  ...merges.map((pair) => pair.replace(' ', '')),
];
const pieceWords = ['<s>', '<pad>', '</s>', '<unk>', '▁고양이', '가', '▁위', '에', '▁앉', '았다', '.', '▁'];

/** Of each model: its files, and what is read of a sentence. Files that are not read are empty. */
const forms = {
  'lassl/bert-ko-small': {
    sentence,
    spelled,
    ids: [2, 6, 8, 9, 11, 12, 13, 15, 17, 3],
    files: () => ({
      'config.json': { ...BERT, architectures: ['BertForPreTraining'], vocab_size: words.length },
      'model.safetensors': weightsOf('bert-10', {
        words: words.length,
        more: [
          ...under('bert.', [...POOLER, ...POSITION_IDS]),
          ...under('cls.seq_relationship.', [
            ['weight', [2, width], 'F32'],
            ['bias', [2], 'F32'],
          ]),
        ],
      }),
      ...{ 'pytorch_model.bin': '', 'special_tokens_map.json': tokensOfBert },
      ...{ 'tokenizer.json': wordPiece, 'vocab.txt': linesOf(words) },
      'tokenizer_config.json': { ...bertSettings, tokenizer_class: 'BertTokenizer' },
    }),
    asked: ['tokenizer.json', 'tokenizer_config.json'],
  },
  'beomi/kcbert-base': {
    sentence,
    spelled,
    ids: [2, 6, 8, 9, 11, 12, 13, 15, 17, 3],
    files: () => ({
      'config.json': {
        ...{ ...BERT, architectures: ['BertForMaskedLM'], directionality: 'bidi', pad_token_id: 0 },
        ...{ pooler_fc_size: 768, pooler_num_attention_heads: 12, pooler_num_fc_layers: 3 },
        ...{ pooler_size_per_head: 128, pooler_type: 'first_token_transform', vocab_size: words.length },
      },
      'model.safetensors': weightsOf('bert-10', { words: words.length, more: under('bert.', POOLER) }),
      ...{ 'flax_model.msgpack': '', 'pytorch_model.bin': '', 'vocab.txt': linesOf(words) },
      'tokenizer_config.json': { do_lower_case: false, model_max_length: 300 },
    }),
    asked: ['tokenizer.json', 'tokenizer_config.json', 'vocab.txt'],
  },
  'klue/bert-base': {
    sentence,
    spelled,
    ids: [2, 6, 8, 9, 11, 12, 13, 15, 17, 3],
    files: () => ({
      'config.json': {
        ...{ ...BERT, architectures: ['BertForMaskedLM'], pad_token_id: 0, vocab_size: words.length },
      },
      'model.safetensors': weightsOf('bert-10', {
        words: words.length,
        more: under('bert.', [...POOLER, ...POSITION_IDS]),
      }),
      ...{ 'pytorch_model.bin': '', 'special_tokens_map.json': tokensOfBert },
      ...{ 'tokenizer.json': wordPiece, 'vocab.txt': linesOf(words) },
      'tokenizer_config.json': {
        ...{ ...bertSettings, do_basic_tokenize: true, never_split: null },
        tokenizer_class: 'BertTokenizer',
      },
    }),
    asked: ['tokenizer.json', 'tokenizer_config.json'],
  },
  'skt/A.X-Encoder-base': {
    sentence,
    spelled,
    ids: [2, 6, 8, 9, 11, 12, 13, 15, 17, 3],
    files: () => ({
      'config.json': {
        ...{ architectures: ['ModernBertForMaskedLM'], model_type: 'modernbert', attention_bias: false },
        ...{ classifier_activation: 'gelu', classifier_pooling: 'mean', decoder_bias: true, norm_eps: 1e-5 },
        ...{ global_attn_every_n_layers: 3, global_rope_theta: 160_000, hidden_activation: 'gelu' },
        ...{ local_attention: 4, local_rope_theta: 10_000, max_position_embeddings: 16_384, mlp_bias: false },
        ...{ norm_bias: false, tie_word_embeddings: true, torch_dtype: 'bfloat16', vocab_size: words.length },
        ...{ pad_token_id: 0, bos_token_id: 2, cls_token_id: 2, eos_token_id: 3, sep_token_id: 3 },
        ...sizesOf('modernbert-10', ['hidden_size', 'intermediate_size']),
        ...sizesOf('modernbert-10', ['num_attention_heads', 'num_hidden_layers']),
      },
      // The page's size, 299 MB, is 16 bits a parameter; it does not say which 16.
      'model.safetensors': weightsOf('modernbert-10', { words: words.length, dtype: 'BF16' }),
      ...{ 'special_tokens_map.json': tokensOfBert, 'vocab.txt': linesOf(words) },
      'tokenizer.json': wordPiece,
      'tokenizer_config.json': { ...bertSettings, tokenizer_class: 'PreTrainedTokenizerFast' },
    }),
    asked: ['tokenizer.json', 'tokenizer_config.json'],
  },
  'gogamza/kobart-base-v2': {
    sentence: '고양이가 위에 앉았다.😀!',
    // Merges of the smallest rank first; "!" is in no vocabulary. Nothing stands around a text.
    spelled: '▁고양이 가 ▁위 에 ▁ 앉았다. 😀 <unk>',
    ids: [21, 11, 22, 13, 7, 25, 18, 5],
    files: () => ({
      'config.json': {
        ...{
          architectures: ['BartModel'],
          model_type: 'bart',
          add_bias_logits: false,
          normalize_before: false,
        },
        ...{ add_final_layer_norm: false, bos_token_id: 1, eos_token_id: 1, decoder_start_token_id: 1 },
        ...{ do_blenderbot_90_layernorm: false, extra_pos_embeddings: 2, forced_eos_token_id: 1 },
        ...{ force_bos_token_to_be_generated: false, init_std: 0.02, is_encoder_decoder: true },
        ...{ kobart_version: 2, normalize_embedding: true, num_hidden_layers: 2, pad_token_id: 3 },
        ...{ scale_embedding: false, static_position_embeddings: false, use_cache: true },
        ...{ tokenizer_class: 'PreTrainedTokenizerFast', vocab_size: bpeWords.length },
        ...sizesOf('bart-10', [...DECODERS, 'max_position_embeddings']),
      },
      'model.safetensors': weightsOf('bart-10', {
        words: bpeWords.length,
        rename: (tensor) => tensor.replace('model.', ''),
      }),
      ...{ 'added_tokens.json': {}, 'pytorch_model.bin': '', 'vocab.json': '', 'merges.txt': '' },
      'special_tokens_map.json': {
        ...{ bos_token: '</s>', eos_token: '</s>', unk_token: '<unk>' },
        ...{ pad_token: '<pad>', mask_token: '<mask>' },
      },
      'tokenizer.json': {
        version: '1.0',
        added_tokens: ['<s>', '</s>', '<pad>', '<unk>', '<mask>'].map((token) =>
          special(token, bpeWords.indexOf(token)),
        ),
        normalizer: null,
        pre_tokenizer: { type: 'Metaspace', replacement: '▁', add_prefix_space: true },
        post_processor: null,
        decoder: { type: 'Metaspace', replacement: '▁', add_prefix_space: true },
        model: {
          ...{ type: 'BPE', dropout: null, unk_token: '<unk>', continuing_subword_prefix: null },
          ...{ end_of_word_suffix: null, fuse_unk: false, vocab: numbered(bpeWords), merges },
        },
      },
    }),
    asked: ['generation_config.json', 'tokenizer.json', 'tokenizer_config.json'],
  },
  'Helsinki-NLP/opus-mt-ko-en': {
    revision: 'refs/pr/2',
    sentence: '고양이가 매트 위에 앉았다.',
    spelled: '▁고양이 가 ▁매트 ▁위 에 ▁앉 았다 . </s>',
    ids: [3, 4, 5, 6, 7, 8, 9, 10, 0],
    files: () => ({
      'config.json': {
        ...{ architectures: ['MarianMTModel'], model_type: 'marian', add_bias_logits: false },
        ...{ add_final_layer_norm: false, bad_words_ids: [[60]], bos_token_id: 0, eos_token_id: 0 },
        ...{ decoder_start_token_id: 60, decoder_vocab_size: 61, extra_pos_embeddings: 61 },
        ...{ forced_eos_token_id: 0, init_std: 0.02, is_encoder_decoder: true, max_length: 512 },
        ...{ normalize_before: false, normalize_embedding: false, num_beams: 6, num_hidden_layers: 2 },
        ...{ pad_token_id: 60, scale_embedding: true, share_encoder_decoder_embeddings: true },
        ...{ static_position_embeddings: true, use_cache: true, vocab_size: 61 },
        ...sizesOf('marian-10', [...DECODERS, 'max_position_embeddings']),
      },
      'generation_config.json': {
        ...{ bad_words_ids: [[60]], bos_token_id: 0, decoder_start_token_id: 60, eos_token_id: 0 },
        ...{ forced_eos_token_id: 0, max_length: 512, num_beams: 6, pad_token_id: 60 },
      },
      // The page's size, 312 MB, has room for its sinusoids.
      'model.safetensors': weightsOf('marian-10', {
        words: 61,
        more: ['encoder', 'decoder'].map((stack) => [
          `model.${stack}.embed_positions.weight`,
          [positions, width],
          'F32',
        ]),
      }),
      ...{ 'metadata.json': {}, 'pytorch_model.bin': '', 'tf_model.h5': '' },
      'source.spm': marianPieces(korean),
      'target.spm': marianPieces(english),
      'vocab.json': numbered(marianWords),
      'tokenizer_config.json': { source_lang: 'kor', target_lang: 'eng' },
    }),
    asked: [
      ...['generation_config.json', 'source.spm', 'tokenizer.json', 'tokenizer_config.json', 'vocab.json'],
    ],
  },
  'sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2': {
    // With two spaces and a wide full stop, which the table of characters makes "."
    sentence: '고양이가  위에 앉았다．',
    spelled: '<s> ▁고양이 가 ▁위 에 ▁앉 았다 . </s>',
    ids: [0, 4, 5, 6, 7, 8, 9, 10, 2],
    files: (size = pieceWords.length + 1) => ({
      'config.json': {
        ...{ ...BERT, architectures: ['BertModel'], gradient_checkpointing: false, pad_token_id: 0 },
        ...{ position_embedding_type: 'absolute', use_cache: true, vocab_size: size },
      },
      'model.safetensors': weightsOf('bert-10', {
        words: size,
        rename: ofBertModel,
        more: [...POOLER, ...POSITION_IDS],
      }),
      ...{ 'config_sentence_transformers.json': {}, 'modules.json': '[]', 'pytorch_model.bin': '' },
      ...{ 'sentence_bert_config.json': {}, 'sentencepiece.bpe.model': '', 'special_tokens_map.json': {} },
      ...{ 'tf_model.h5': '', 'unigram.json': '' },
      'tokenizer.json': {
        version: '1.0',
        added_tokens: [
          ...pieceWords.slice(0, 4).map(special),
          { ...special('<mask>', size - 1), lstrip: true },
        ],
        normalizer: {
          type: 'Precompiled',
          precompiled_charsmap: Buffer.from(charsmap).toString('base64'),
        },
        pre_tokenizer: {
          type: 'Sequence',
          pretokenizers: [
            { type: 'WhitespaceSplit' },
            { type: 'Metaspace', replacement: '▁', add_prefix_space: true },
          ],
        },
        post_processor: template('<s>', '</s>', pieceWords),
        decoder: { type: 'Metaspace', replacement: '▁', add_prefix_space: true },
        model: {
          type: 'Unigram',
          unk_id: 3,
          vocab: Array.from({ length: size }, (_, id) => [
            id === size - 1 ? '<mask>' : (pieceWords[id] ?? `▁줄${id}`),
            id < 4 ? 0 : -10,
          ]),
        },
      },
      'tokenizer_config.json': {
        ...{
          do_lower_case: true,
          unk_token: '<unk>',
          sep_token: '</s>',
          pad_token: '<pad>',
          cls_token: '<s>',
        },
        mask_token: { content: '<mask>', lstrip: true, normalized: true, __type: 'AddedToken' },
        ...{ tokenize_chinese_chars: true, strip_accents: null, bos_token: '<s>', eos_token: '</s>' },
        model_max_length: 512,
      },
    }),
    asked: ['tokenizer.json', 'tokenizer_config.json'],
  },
  'monologg/kobert': {
    ...koBert,
    files: () => ({
      'config.json': { ...BERT, architectures: ['BertModel'], pad_token_id: 1, vocab_size: 8002 },
      'model.safetensors': weightsOf('bert-10', {
        words: 8002,
        rename: ofBertModel,
        more: POOLER,
      }),
      ...{ 'flax_model.msgpack': '', 'pytorch_model.bin': '', 'tokenization_kobert.py': '' },
      ...{ 'tokenizer_78b3253a26.model': koBertModel, 'vocab.txt': linesOf(koBertWords) },
      'tokenizer_config.json': koBertSettings,
    }),
    asked: ['tokenizer.json', 'tokenizer_78b3253a26.model', 'tokenizer_config.json', 'vocab.txt'],
  },
};

const asBytes = (value) =>
  ArrayBuffer.isView(value)
    ? value
    : new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const filesAsBytes = (files) =>
  Object.fromEntries(Object.entries(files).map(([file, value]) => [file, asBytes(value)]));

const without = (files, name) => Object.fromEntries(Object.entries(files).filter(([file]) => file !== name));

/** Answers as the hub does, with the files of each revision of a model. @returns what was asked for */
function hub(name, revisions) {
  const asked = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation((url) => {
    const [, path] = String(url).split(`https://huggingface.co/${name}/resolve/`);
    const [revision, file] = (path ?? '').split('/').map(decodeURIComponent);
    asked.push(file);
    const bytes = revisions[revision]?.[file];
    return Promise.resolve(new Response(bytes ?? '', { status: bytes ? 200 : 404 }));
  });
  return asked;
}
afterEach(() => jest.restoreAllMocks());

/** The largest distance of a row's sum from 1. */
function distanceFrom1(tensors) {
  let most = 0;
  for (const { shape, data } of tensors) {
    const keys = shape.at(-1);
    for (let i = 0; i < data.length; i += keys)
      most = Math.max(most, Math.abs(data.subarray(i, i + keys).reduce((a, b) => a + b) - 1));
  }
  return most;
}

describe.each(Object.entries(forms))('%s', (name, { revision = 'main', files, asked, ...expected }) => {
  const published = filesAsBytes(files());

  test('is read from the hub: tokens, ids, attentions', async () => {
    const requests = hub(name, { [revision]: published });
    const model = await loadModel(name, { revision });
    const { ids, tokens } = model.tokenize(expected.sentence);
    expect(tokens.join(' ')).toBe(expected.spelled);
    expect([...ids]).toEqual(expected.ids);
    const output = model.forward(expected.sentence);
    const parts = Object.entries(output).filter(([part]) => /attentions$/iu.test(part));
    expect(parts.length).toBe(model.config.is_encoder_decoder ? 4 : 1);
    for (const [part, tensors] of parts) expect([part, distanceFrom1(tensors) < 1e-6]).toEqual([part, true]);
    expect(output.attentions[0].shape.slice(-2)).toEqual([ids.length, ids.length]);
    // What else the folder holds is not asked for.
    expect(requests.toSorted()).toEqual(['config.json', 'model.safetensors', ...asked].toSorted());
    model.dispose();
  });
});

describe('a mask is filled', () => {
  const filling = Object.entries(forms).filter(([, { spelled: text }]) => text === spelled);
  test.each(filling)('%s', async (name, { files }) => {
    hub(name, { main: filesAsBytes(files()) });
    const model = await loadModel(name);
    const [guesses] = model.fillMask('고양이가 [MASK] 위에', words.length);
    expect(guesses.map(({ token }) => token).toSorted()).toEqual(words.toSorted());
    model.dispose();
  });
});

describe('weights that only another revision has as safetensors', () => {
  const name = 'Helsinki-NLP/opus-mt-ko-en';
  const { 'model.safetensors': weights, ...rest } = filesAsBytes(forms[name].files());

  test.each(['pytorch_model.bin', 'pytorch_model.bin.index.json'])(
    '%s alone: the error names the revisions to try, and that is enough',
    async (pickle) => {
      const revisions = {
        main: { ...without(rest, 'pytorch_model.bin'), [pickle]: asBytes('pickled') },
        'refs/pr/2': { ...rest, 'model.safetensors': weights },
      };
      hub(name, revisions);
      const error = await loadModel(name).catch(({ message }) => message);
      expect(error).toMatch(
        new RegExp(
          `/main/ has no file model\\.safetensors, but ${pickle}, Python's pickles, which are not read`,
        ),
      );
      // It is no folder of the page that was meant.
      expect(error).not.toContain('written ./');
      const tried = [...error.matchAll(/"(refs\/pr\/\d)"/gu)].map(([, revision]) => revision);
      expect(tried).toEqual(['refs/pr/1', 'refs/pr/2']);
      await expect(loadModel(name, { revision: tried[0] })).rejects.toThrow('has no file config.json');
      const model = await loadModel(name, { revision: tried[1] });
      expect(model.family).toBe('marian');
      model.dispose();
    },
  );

  test.each(['pytorch_model.bin', 'pytorch_model.bin.index.json'])('%s of dropped files', async (pickle) => {
    const files = [
      new File([rest['config.json']], 'config.json'),
      new File(['pickled'], pickle),
      new File(['pickled'], 'pytorch_model-00001-of-00002.bin'),
    ];
    await expect(loadModel(files)).rejects.toThrow(
      `the model has no file model.safetensors, but ${pickle}, Python's pickles, which are not read: convert them`,
    );
  });
});

describe('what Marian writes', () => {
  const name = 'Helsinki-NLP/opus-mt-ko-en';
  const files = () => filesAsBytes(forms[name].files());
  const load = (published) => {
    hub(name, { main: published });
    return loadModel(name);
  };

  /**
   * `MarianTokenizer.decode` of transformers 5.12.1 without special tokens: pieces by vocab.json, then `decode_pieces` of
   * source.spm (of target.spm with `separate_vocabs` or `use_source_tokenizer=False`). SentencePiece writes nothing for
   * control pieces of its file, others as they are spelled.
   */
  const decodedBy = (pieces) => (ids) =>
    ids
      .map((id) => marianWords[id])
      .filter((piece) => !['</s>', '<unk>', '<pad>'].includes(piece))
      .map((piece) => (pieces.get(piece) === 'control' ? '' : piece))
      .join('')
      .replaceAll('▁', ' ')
      .trim();
  const typesIn = (file) =>
    new Map(readSentencePiece(files()[file], file).pieces.map(({ text, type }) => [text, type]));

  test('is the same by source.spm and target.spm: texts of random ids', async () => {
    const model = await load(files());
    const [bySource, byTarget] = ['source.spm', 'target.spm'].map((file) => decodedBy(typesIn(file)));
    const [texts, seen] = [new Set(), new Set()];
    for (let seed = 0; seed < 60; seed++) {
      const { ids, text } = await model.generate(forms[name].sentence, {
        ...{ maxNewTokens: 1 + (seed % 12), temperature: 50, seed, eosTokenId: [] },
      });
      expect([ids, text]).toEqual([ids, bySource(ids)]);
      expect([ids, text]).toEqual([ids, byTarget(ids)]);
      texts.add(text);
      for (const id of ids) seen.add(marianWords[id]);
    }
    expect(texts.size).toBeGreaterThan(50);
    // Among them pieces of one file alone, and what is a control piece of both.
    for (const piece of ['▁고양이', '▁cat', '<s>']) expect(seen).toContain(piece);
    model.dispose();
  });

  test('does not depend on target.spm', async () => {
    const texts = [];
    for (const published of [files(), without(files(), 'target.spm')]) {
      const model = await load(published);
      texts.push((await model.generate(forms[name].sentence, { maxNewTokens: 12 })).text);
      model.dispose();
    }
    expect(texts[0]).not.toBe('');
    expect(texts[1]).toBe(texts[0]);
  });

  test('of vocabularies of their own is refused: ids of target_vocab.json are not read', async () => {
    const published = {
      ...files(),
      'tokenizer_config.json': asBytes({ separate_vocabs: true }),
      'target_vocab.json': files()['vocab.json'],
    };
    await expect(load(published)).rejects.toThrow(
      'vocab.json` must have an id for each piece of both languages',
    );
  });
});

describe('KoBERT', () => {
  const name = 'monologg/kobert';
  const published = filesAsBytes(forms[name].files());
  const load = (changes) => {
    hub(name, { main: { ...published, ...filesAsBytes(changes) } });
    return loadModel(name);
  };
  const written = ({ tokens, ids }) => tokens.map((token, i) => `${token}/${ids[i]}`).join(' ');
  const idOf = (piece) => koBertWords.indexOf(piece);

  test('without a class, as its first files, is told by its pieces', async () => {
    const model = await load({ 'tokenizer_config.json': { do_lower_case: false, max_len: 512 } });
    expect([...model.tokenize(koBert.sentence).ids]).toEqual(koBert.ids);
    model.dispose();
  });

  // As tokenization_kobert.py of its repository gives them with SentencePiece 0.1.97.
  test.each([
    // A comma behind a digit is a piece of its own, and what is before it is spelled anew: "2," and "0," are pieces, too.
    ['2,000,', ['[CLS]', '▁', '2', ',', '00', '0', ',', '[SEP]']],
    ['12, 20, 2', ['[CLS]', '▁', '1', '2', ',', '▁2', '0', ',', '▁2', '[SEP]']],
    ['2,  모델 ．', ['[CLS]', '▁', '2', ',', '▁모델', '▁', '.', '[SEP]']],
    // Accents are left out, and Hangul is composed again.
    ['café', ['[CLS]', '▁cafe', '[SEP]']],
    ['[MASK] 모델', ['[CLS]', '[MASK]', '▁모델', '[SEP]']],
    // Of vocab.txt, not of the file's own order; what neither has is unknown.
    ['어!', ['[CLS]', '▁', '어', '!', '[SEP]']],
  ])('%j', async (text, pieces) => {
    const model = await load({});
    const ids = pieces.map((piece) => Math.max(0, idOf(piece)));
    expect(written(model.tokenize(text))).toBe(pieces.map((piece, i) => `${piece}/${ids[i]}`).join(' '));
    model.dispose();
  });

  test('pairs stand between its marks', async () => {
    const model = await load({});
    expect(model.tokenize(koBert.sentence).unknown).toEqual([]);
    const output = model.forward(['모델', '공유']);
    expect(output.tokens).toEqual(['[CLS]', '▁모델', '[SEP]', '▁공유', '[SEP]']);
    model.dispose();
  });

  test('vocab.txt alone is refused by the name of the other file', async () => {
    for (const settings of [koBertSettings, {}]) {
      const rest = without(published, 'tokenizer_78b3253a26.model');
      hub(name, { main: { ...rest, 'tokenizer_config.json': asBytes(settings) } });
      await expect(loadModel(name)).rejects.toThrow(
        'has no file tokenizer_78b3253a26.model, which its vocab.txt needs: give token ids',
      );
    }
  });

  test('a vocab.txt without its marks is refused', async () =>
    expect(load({ 'vocab.txt': linesOf(koBertWords.with(4, 'x')) })).rejects.toThrow(
      '`vocab.txt` must hold [MASK]',
    ));

  test('skt/kobert-base-v1, with spiece.model alone, is computed from ids, and says that it reads no texts', async () => {
    const own = {
      'config.json': asBytes({
        ...JSON.parse(new TextDecoder().decode(published['config.json'])),
        kobert_version: 1,
      }),
      'model.safetensors': published['model.safetensors'],
      'spiece.model': koBertModel,
      'tokenizer_config.json': asBytes({
        ...tokensOfBert,
        do_lower_case: false,
        tokenizer_class: 'XLNetTokenizer',
      }),
    };
    hub('skt/kobert-base-v1', { 'refs/pr/1': own });
    const model = await loadModel('skt/kobert-base-v1', { revision: 'refs/pr/1' });
    expect(distanceFrom1(model.forward({ inputIds: [koBert.ids] }).attentions)).toBeLessThan(1e-6);
    expect(() => model.tokenize(koBert.sentence)).toThrow('without a tokenizer');
    model.dispose();
  });
});

test('of a large vocabulary only the rows of a text are fetched: paraphrase-multilingual-MiniLM-L12-v2', async () => {
  const { files, sentence: text } = forms['sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2'];
  const published = filesAsBytes(files(30_000));
  const server = await serve(published);
  const [inWorker, whole] = [await loadModelInWorker(server.url), await loadModel(server.url)];
  const before = server.sent['model.safetensors'];
  const [output, expected] = [await inWorker.forward(text), whole.forward(text)];
  for (const [i, { data }] of expected.attentions.entries()) expect(output.attentions[i].data).toEqual(data);
  // The whole file once, for the page, and of the other what is not the table, and some blocks of 128 rows.
  const size = published['model.safetensors'].length;
  const sent = server.sent['model.safetensors'] - size;
  const table = 30_000 * width * 4;
  expect(table).toBeGreaterThan(0.9 * size);
  expect(sent).toBeLessThan(0.5 * size);
  expect(server.sent['model.safetensors'] - before).toBeLessThanOrEqual(2 * 128 * width * 4);
  inWorker.dispose();
  whole.dispose();
});
