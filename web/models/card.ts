/** What a model's folder says of the model: the fields of a model card, in config.json or in the head of README.md. */
import { isPage } from '../api/wrong-file.js';
import type { Config } from './config-fields.js';
import type { ModelFolder } from './open-file.web.js';

/** Fields of a model card; those that it does not have are missing. */
export interface ModelCard {
  /** What readers call the model, of models that are known by a name. */
  readonly name?: string;
  /** As the Hugging Face hub abbreviates it: `apache-2.0`, `cc-by-sa-4.0`, `other`. */
  readonly license?: string;
  /** The name of a license that the hub does not know. */
  readonly licenseName?: string;
  /** Where that license is. */
  readonly licenseLink?: string;
  /** Languages that the model was trained on, as codes: `ko`. */
  readonly language?: readonly string[];
  /** The model that this one was made from; the first of several. */
  readonly baseModel?: string;
}

/** Heads are shorter, except for examples, which stand at their end. */
const HEAD_BYTES = 2 ** 14;

/** A value without the comment behind it, and without quotes. */
function scalarOf(text: string): string {
  const trimmed = text.trim();
  const quoted = /^(?:"[^"]*"|'[^']*')/u.exec(trimmed)?.[0];
  if (quoted !== undefined) return quoted.slice(1, -1);
  return trimmed.replace(/(?:^|\s)#.*$/su, '').trimEnd();
}

/**
 * The fields of the YAML between two lines `---` at the start of a text, each a list of its values. Read are only the
 * forms that model cards use for what is wanted here, as a library for YAML is larger than all of the loading code:
 *
 * - `key: value`, with or without quotes;
 * - `key: [a, b]`;
 * - `key:` and a line `- a` for each value.
 *
 * Nested fields, block texts (`>`, `|`) and aliases are passed over.
 */
function fieldsOf(text: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  const [first, ...lines] = text.replace(/^\uFEFF/u, '').split(/\r?\n/u);
  if (first?.trimEnd() !== '---') return fields;
  let list: string[] | null = null;
  for (const line of lines) {
    if (/^(?:---|\.\.\.)\s*$/u.test(line)) return fields;
    const item = /^\s*-\s+(.*)$/su.exec(line)?.[1];
    if (item !== undefined) {
      // `- key: value` is no text but fields of its own.
      if (!/^[\w-]+:(?:\s|$)/u.test(item)) list?.push(scalarOf(item));
      continue;
    }
    const [, key, value = ''] = /^([\w-]+):(?:\s+(.*))?$/su.exec(line) ?? [];
    if (key === undefined) continue;
    list = [];
    fields.set(key, list);
    const inline = /^\[([^\]]*)\]/u.exec(value)?.[1];
    if (inline !== undefined) list.push(...inline.split(',').map(scalarOf));
    else if (!/^[>|&*{#]/u.test(value)) list.push(scalarOf(value));
    fields.set(key, (list = list.filter((each) => each !== '')));
  }
  return fields;
}

function cardOf(fields: ReadonlyMap<string, readonly string[]>): ModelCard {
  const text = (key: string, name: keyof ModelCard) => {
    const value = fields.get(key)?.[0];
    return value === undefined ? {} : { [name]: value };
  };
  const language = fields.get('language') ?? [];
  return {
    ...text('license', 'license'),
    ...text('license_name', 'licenseName'),
    ...text('license_link', 'licenseLink'),
    ...text('base_model', 'baseModel'),
    ...(language.length > 0 && { language }),
  };
}

/** The first bytes of a file; null where there is none, or a page is given in its place. */
async function headOf(folder: ModelFolder, file: string): Promise<string | null> {
  const opened = await folder.open(file, undefined, { start: 0, end: HEAD_BYTES });
  if (!opened) return null;
  const bytes = new Uint8Array(HEAD_BYTES);
  let length = 0;
  const { chunks } = opened;
  try {
    while (length < HEAD_BYTES) {
      const chunk = await chunks.next();
      if (chunk.done === true) break;
      const part = chunk.value.subarray(0, HEAD_BYTES - length);
      bytes.set(part, length);
      length += part.length;
    }
  } finally {
    await chunks.return?.();
  }
  const head = bytes.subarray(0, length);
  return isPage(head) ? null : new TextDecoder().decode(head);
}

/** The same fields in config.json, each a text or a list of texts; null where it names no license. */
function cardIn(config: Config): ModelCard | null {
  if (typeof config.license !== 'string') return null;
  const isText = (value: unknown) => typeof value === 'string';
  return cardOf(new Map(Object.entries(config).map(([key, value]) => [key, [value].flat().filter(isText)])));
}

/**
 * The card of a folder; null where it has none, or it cannot be read: a model works without. README.md is asked for only
 * where config.json names no license.
 */
export const readCard = async (folder: ModelFolder, config: Config): Promise<ModelCard | null> => {
  const stated = cardIn(config);
  if (stated) return stated;
  const readme = await headOf(folder, 'README.md').catch(() => null);
  return readme === null ? null : cardOf(fieldsOf(readme));
};
