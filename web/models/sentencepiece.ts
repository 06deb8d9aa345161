/**
 * Files of SentencePiece in the form of `tokenizer.json`. Pieces are those of SentencePiece; ids, special tokens and what
 * stands around a text those of transformers 5.12.1 (convert_slow_tokenizer.py, tokenization_*.py).
 */
import { rangeError } from '../api/errors.js';
import { type Config, isObject } from './config-fields.js';
import { OWN_STEPS, type OwnSteps } from './rust-steps.js';
import { type Piece, readSentencePiece } from './sentencepiece-file.js';
import { stepsOf } from './sentencepiece-steps.js';
import { KOBERT_FILE, special } from './vocabulary-files.js';

interface Family {
  /** `model_type` of its models. */
  readonly models: readonly string[];
  readonly file: string;
  /**
   * What stands around one text, and two: A, B, and special tokens as tokenizer_config.json names them, or as they are
   * without; then the token type.
   */
  readonly around: readonly [string, string];
  /** Tokens in the place of so many first pieces, of which none spells text: ids of fairseq. */
  readonly first?: readonly string[];
  readonly dropped?: number;
  /** Tokens behind the pieces. */
  readonly last?: readonly string[];
}

const LANGUAGES =
  'ar_AR,cs_CZ,de_DE,en_XX,es_XX,et_EE,fi_FI,fr_XX,gu_IN,hi_IN,it_IT,ja_XX,kk_KZ,ko_KR,lt_LT,lv_LV,my_MM,ne_NP,nl_XX,ro_RO,' +
  'ru_RU,si_LK,tr_TR,vi_VN,zh_CN';
const LANGUAGES_50 =
  `${LANGUAGES},af_ZA,az_AZ,bn_IN,fa_IR,he_IL,hr_HR,id_ID,ka_GE,km_KH,mk_MK,ml_IN,mn_MN,mr_IN,pl_PL,ps_AF,pt_XX,sv_SE,` +
  'sw_KE,ta_IN,te_IN,th_TH,tl_XX,uk_UA,ur_PK,xh_ZA,gl_ES,sl_SI';

const albert: Family = {
  models: ['albert'],
  file: 'spiece.model',
  around: ['cls=[CLS] A sep=[SEP]', 'cls=[CLS] A sep=[SEP] B:1 sep=[SEP]:1'],
};
const fairseq: Family = {
  models: ['xlm-roberta'],
  file: 'sentencepiece.bpe.model',
  around: ['bos=<s> A eos=</s>', 'bos=<s> A eos=</s> eos=</s> B eos=</s>'],
  first: ['<s>', '<pad>', '</s>', '<unk>'],
  dropped: 3,
  last: ['<mask>'],
};
const llama: Family = {
  models: ['llama', 'mistral', 'phi3'],
  file: 'tokenizer.model',
  around: ['bos=<s> A eos=</s>', 'bos=<s> A eos=</s> bos=<s>:1 B:1 eos=</s>:1'],
};

const KOBERT_TOKENS = ['[UNK]', '[PAD]', '[CLS]', '[SEP]', '[MASK]'];

/** By `tokenizer_class`. */
const FAMILIES: Readonly<Record<string, Family>> = {
  AlbertTokenizer: albert,
  CamembertTokenizer: {
    ...fairseq,
    models: ['camembert'],
    first: ['<s>NOTUSED', '<pad>', '</s>NOTUSED', '<unk>', '<unk>NOTUSED'],
    dropped: 1,
  },
  DebertaV2Tokenizer: { ...albert, models: ['deberta-v2'], file: 'spm.model', last: ['[MASK]'] },
  // Of its own repository; its ids are those of vocab.txt.
  KoBertTokenizer: { ...albert, models: [], file: KOBERT_FILE },
  GemmaTokenizer: {
    models: ['gemma2', 'gemma3_text'],
    file: llama.file,
    around: ['bos=<bos> A eos=<eos>', 'bos=<bos> A eos=<eos> bos=<bos>:1 B:1 eos=<eos>:1'],
  },
  LlamaTokenizer: llama,
  MarianTokenizer: { models: ['marian'], file: 'source.spm', around: ['A eos=</s>', 'A B eos=</s>'] },
  MBartTokenizer: {
    ...fairseq,
    models: ['mbart'],
    around: ['A eos=</s> lang=', 'A B eos=</s> lang='],
    last: [...LANGUAGES.split(','), '<mask>'],
  },
  MBart50Tokenizer: {
    ...fairseq,
    models: [],
    around: ['lang= A eos=</s>', 'lang= A B eos=</s>'],
    last: [...LANGUAGES_50.split(','), '<mask>'],
  },
  T5Tokenizer: {
    models: ['t5', 'mt5'],
    file: albert.file,
    around: ['A eos=</s>', 'A eos=</s> B eos=</s>'],
  },
  XLMRobertaTokenizer: fairseq,
};

const wrong = (field: string, expected: string, value: unknown) =>
  rangeError(
    `tokenizer_config.json: ${field}`,
    `be ${expected}, got ${JSON.stringify(value)}: give token ids`,
  );

/** The file that models of a type have; undefined where they have none of SentencePiece. */
export const sentencePieceFile = ({ model_type: type }: Config): string | undefined =>
  Object.values(FAMILIES).find(({ models }) => models.includes(type as string))?.file;

/** What a file is read with. */
export interface SentencePieceSource {
  readonly file: string;
  readonly bytes: Uint8Array;
  /** tokenizer_config.json */
  readonly config: Config;
  /** config.json */
  readonly model: Config;
  /** vocab.json, which has the ids of Marian; those of vocab.txt of KoBERT. */
  readonly vocab: Config | null;
}

function familyOf({ file, config, model }: SentencePieceSource): readonly [name: string, family: Family] {
  const given = config.tokenizer_class ?? model.tokenizer_class;
  const names = Object.keys(FAMILIES);
  const name =
    typeof given === 'string'
      ? given.replace(/Fast$/u, '').replace(/^MT5/u, 'T5')
      : names.find((each) => FAMILIES[each]?.models.includes(model.model_type as string));
  const family = names.includes(name ?? '') ? FAMILIES[name ?? ''] : undefined;
  if (name === undefined || family?.file !== file)
    throw wrong('tokenizer_class', `one that has ${file}`, given);
  return [name, family];
}

function idsOf(tokens: readonly string[], file: string): Map<string, number> {
  const ids = new Map(tokens.map((token, id) => [token, id]));
  if (ids.size < tokens.length) throw rangeError(file, 'have each token once');
  return ids;
}

/** Marian's ids are those of vocab.json for both languages. */
function idsOfMarian(vocab: Config | null, { separate_vocabs: separate }: Config): Map<string, number> {
  const ids = new Map(Object.entries(vocab ?? {}) as [string, number][]);
  const isId = (id: unknown) => Number.isInteger(id) && Number(id) >= 0;
  if (separate === true || !ids.has('<unk>') || !ids.has('</s>') || ![...ids.values()].every(isId))
    throw rangeError('vocab.json', 'have an id for each piece of both languages, <unk> and </s>');
  return ids;
}

function idsOfKoBert(vocab: Config | null): Map<string, number> {
  const ids = new Map(Object.entries(vocab ?? {}) as [string, number][]);
  const missing = KOBERT_TOKENS.find((token) => !ids.has(token));
  if (missing !== undefined) throw rangeError('vocab.txt', `hold ${missing}`);
  return ids;
}

function sentinels({ extra_ids: count = 100 }: Config): string[] {
  if (!Number.isInteger(count) || Number(count) < 0 || Number(count) > 1e4)
    throw wrong('extra_ids', 'a whole number', count);
  return Array.from({ length: Number(count) }, (_, i) => `<extra_id_${i}>`).reverse();
}

const replaced = (from: string, content: string) => ({
  type: 'Replace',
  pattern: { String: from },
  content,
});

/** What is done before the steps of SentencePiece. */
function before(name: string, config: Config): object | null {
  const { do_lower_case: lowers = name === 'AlbertTokenizer', keep_accents: keepsAccents } = config;
  const lower = lowers === true ? [{ type: 'Lowercase' }] : [];
  const plain = keepsAccents === true ? [] : [{ type: 'NFKD' }, { type: 'StripAccents' }];
  if (name === 'DebertaV2Tokenizer') {
    if (config.split_by_punct === true) throw wrong('split_by_punct', 'false', true);
    return { type: 'Sequence', normalizers: lower };
  }
  if (name !== 'AlbertTokenizer' && name !== 'KoBertTokenizer') return null;
  return { type: 'Sequence', normalizers: [replaced('``', '"'), replaced("''", '"'), ...plain, ...lower] };
}

/** The language that Marian is to write, `>>fra<<`, before a text. */
const CODE = /^>>[^]*?<</u;

function withCode(steps: OwnSteps): OwnSteps {
  const { normalize, tokensOf } = steps;
  const codeOf = (text: string): string => CODE.exec(text)?.[0] ?? '';
  return {
    ...steps,
    normalize: (text, hasPrefix) => {
      const code = codeOf(text);
      return code + normalize(text.slice(code.length), hasPrefix);
    },
    tokensOf: (text, merged) => {
      const code = codeOf(text);
      const tokens = tokensOf(text.slice(code.length), merged);
      return code ? [code, ...tokens] : tokens;
    },
  };
}

/** As KoBERT's class does: a comma that a piece has behind a digit is a piece of its own. */
function withCommas(steps: OwnSteps): OwnSteps {
  const { normalize, tokensOf } = steps;
  return {
    ...steps,
    tokensOf: (text, merged) =>
      tokensOf(text, merged).flatMap((piece) => {
        if (!/\p{Nd},$/u.test(piece)) return [piece];
        const [first = '', ...rest] = tokensOf(
          normalize(piece.slice(0, -1).replaceAll('▁', ''), true),
          merged,
        );
        return [piece.startsWith('▁') ? first : first.replace('▁', ''), ...rest, ','].filter(Boolean);
      }),
  };
}

/** Tokens that are read as they are, of which some may be new. */
function adder(ids: Map<string, number>) {
  const added = new Map<string, object>();
  let next = 0;
  for (const id of ids.values()) next = Math.max(next, id + 1);
  /** @param token its text, or that with its fields; given once it stays */
  const add = (token: unknown, lstrip = false, id = next): string => {
    const own: Config = isObject(token) ? token : { content: token };
    const { content } = own;
    if (typeof content !== 'string' || content === '') throw wrong('special tokens', 'texts', token);
    const known = ids.get(content) ?? id;
    ids.set(content, known);
    next = Math.max(next, known + 1);
    const flags = ['special', 'single_word', 'lstrip', 'rstrip'].filter((flag) => flag in own);
    if (!added.has(content))
      added.set(content, {
        ...special(content, known),
        lstrip,
        ...Object.fromEntries(flags.map((flag) => [flag, own[flag] === true])),
      });
    return content;
  };
  return { add, added };
}

/** @throws RangeError for a file that is damaged, or a tokenizer that is not computed */
export function sentencePieceFrom(source: SentencePieceSource): object {
  const { file, bytes, config } = source;
  const [name, family] = familyOf(source);
  const { first = [], dropped = 0, last = name === 'T5Tokenizer' ? sentinels(config) : [] } = family;
  const isMarian = name === 'MarianTokenizer';
  const isKoBert = name === 'KoBertTokenizer';
  const read = readSentencePiece(bytes, file);
  const isControl = ({ type }: Piece) => type === 'control';
  const [head, kept] = [read.pieces.slice(0, dropped), read.pieces.slice(dropped)];
  if (head.some((piece) => piece.type !== 'unknown' && !isControl(piece)))
    throw rangeError(file, `begin with ${dropped} pieces that spell no text`);
  const all = idsOf([...first, ...kept.map(({ text }) => text), ...last], file);
  const ids = isMarian ? idsOfMarian(source.vocab, config) : isKoBert ? idsOfKoBert(source.vocab) : all;
  const { add, added } = adder(ids);
  const tokens = new Map(Array.from(ids, ([token, id]) => [id, token]));
  for (const [key, token] of Object.entries((config.added_tokens_decoder ?? {}) as Config)) {
    const id = Number.parseInt(key, 10);
    const content = add(token, false, id);
    if (ids.get(content) !== id || (tokens.get(id) ?? content) !== content)
      throw wrong('added_tokens_decoder', 'tokens of the vocabulary, or behind it', { [key]: token });
  }
  const unknown = isMarian || first.length > 0 ? '<unk>' : isKoBert ? '[UNK]' : read.unknown;
  const takesSpace = name.startsWith('MBart') || name.startsWith('Camembert');
  for (const role of ['bos', 'eos', 'unk', 'sep', 'pad', 'cls', 'mask']) {
    const { [`${role}_token`]: token = role === 'unk' ? unknown : null } = config;
    if (token !== null) add(token, role === 'mask' && takesSpace);
  }
  const others = [config.additional_special_tokens, config.extra_special_tokens].flatMap((own) =>
    typeof own === 'object' ? (Object.values(own ?? {}) as unknown[]) : [],
  );
  const controls = kept.filter(isControl).map(({ text }) => text);
  const known = isMarian ? ['<pad>'] : isKoBert ? KOBERT_TOKENS : controls;
  for (const token of [...first, ...last, ...known, ...others]) add(token, token === '<mask>' && takesSpace);
  // Of Llama and Gemma they are a choice.
  const isChoice = family.file === llama.file;
  const { src_lang: language = 'en_XX', add_bos_token: bos, bos_token: begin, add_eos_token: eos } = config;
  const left = isChoice ? [bos === false || begin === null ? 'bos' : '', eos === true ? '' : 'eos'] : [];
  const around = (template: string) =>
    template.split(' ').flatMap((part): object[] => {
      const [text = '', type = '0'] = part.split(':');
      const [role = '', fallback] = text.split('=');
      if (left.includes(role)) return [];
      if (fallback === undefined) return [{ Sequence: { id: role, type_id: Number(type) } }];
      if (role === 'lang' && !last.includes(String(language)))
        throw wrong('src_lang', 'a language of mBART', language);
      const { [`${role}_token`]: token = fallback || language } = config;
      return [{ SpecialToken: { id: add(token), type_id: Number(type) } }];
    });
  if (isMarian && !read.addsPrefix) throw rangeError(file, 'have add_dummy_prefix');
  const addsPrefix = read.addsPrefix && config.add_prefix_space !== false;
  const own = stepsOf({ ...read, unknown, addsPrefix }, file);
  // Behind a special token, Llama's text begins without a space.
  const isFresh = name !== 'LlamaTokenizer' || config.legacy === true;
  const steps: OwnSteps = {
    ...own,
    normalize: (text, isFirst) => own.normalize(text, isFirst || isFresh),
  };
  // A space before a text, or all that SentencePiece keeps none of; of ids from elsewhere behind it, too.
  const isApart = ids !== all;
  const ends = { start: isApart || read.removesSpaces ? 1e9 : Number(addsPrefix), stop: isApart ? 1e9 : 0 };
  const joined =
    isApart || isChoice
      ? [replaced('▁', ' '), { type: 'Fuse' }, { type: 'Strip', content: ' ', ...ends }]
      : [{ type: 'Metaspace', replacement: '▁', prepend_scheme: 'always' }];
  const [single, pair] = family.around.map(around);
  return {
    version: '1.0',
    added_tokens: [...added.values()],
    normalizer: before(name, config),
    pre_tokenizer: null,
    post_processor: { type: 'TemplateProcessing', single, pair },
    decoder: {
      type: 'Sequence',
      decoders: [
        { type: 'ByteFallback' },
        // Of Marian they are no special tokens, and yet SentencePiece writes nothing for them.
        ...(isMarian ? controls : []).map((token) => replaced(token, '')),
        ...joined,
      ],
    },
    model: {
      type: read.isBpe ? 'BPE' : 'WordPiece',
      vocab: Object.fromEntries(ids),
      merges: [],
      unk_token: unknown,
    },
    [OWN_STEPS]: isMarian ? withCode(steps) : isKoBert ? withCommas(steps) : steps,
  };
}
