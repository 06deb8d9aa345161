/** What of `@huggingface/tokenizers` is used: its own declarations do not resolve in projects of ES modules. */
export declare class Tokenizer {
  constructor(tokenizer: object, config: object);
  model: ((texts: string[]) => string[]) & { unk_token_id?: number };
  normalizer: ((text: string) => string) | null;
  encode(text: string, options?: { add_special_tokens?: boolean }): { ids: number[]; tokens: string[] };
  decode(ids: number[], options?: { skip_special_tokens?: boolean }): string;
  token_to_id(token: string): number | undefined;
  id_to_token(id: number): string | undefined;
  get_added_tokens_decoder(): Map<number, { content: string; special?: boolean }>;
}
