/** What is used of the library `@huggingface/tokenizers`, whose file the build copies: workers cannot find it by its name. */
export interface AddedToken {
  readonly id: number;
  readonly content: string;
  readonly special: boolean;
  readonly single_word: boolean;
  readonly lstrip: boolean;
  readonly rstrip: boolean;
  readonly normalized: boolean;
}

export declare class Tokenizer {
  constructor(tokenizer: object, config: object);
  model: ((texts: string[]) => string[]) & {
    readonly tokens_to_ids: ReadonlyMap<string, number>;
    unk_token_id?: number | undefined;
    readonly unk_token?: string;
    readonly vocab: string[];
  };
  readonly added_tokens_map: Map<string, AddedToken>;
  readonly splitter_normalized: object;
  normalizer: ((text: string) => string) | null;
  post_processor:
    | ((
        tokens: string[],
        pair: string[] | null,
        addSpecial: boolean,
      ) => { tokens: string[]; tokens_pair?: string[] | null; token_type_ids?: number[] })
    | null;
  encode(text: string, options?: { add_special_tokens?: boolean }): { ids: number[]; tokens: string[] };
  decode(
    ids: number[],
    options?: { skip_special_tokens?: boolean; clean_up_tokenization_spaces?: boolean },
  ): string;
  token_to_id(token: string): number | undefined;
  id_to_token(id: number): string | undefined;
  get_added_tokens_decoder(): Map<number, AddedToken>;
}
