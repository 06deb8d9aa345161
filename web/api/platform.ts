/**
 * Types of the platform that public declarations name. A project without the library that declares one, such as DOM,
 * still checks: `never` stands for it there.
 */
type PrototypeOf<Scope, Name extends string> =
  Scope extends Readonly<Record<Name, { readonly prototype: infer T }>> ? T : never;

export type Platform<Name extends string> = PrototypeOf<typeof globalThis, Name>;

export type Wasm<Name extends 'Instance' | 'Memory' | 'Module'> = typeof globalThis extends {
  readonly WebAssembly: infer Scope;
}
  ? PrototypeOf<Scope, Name>
  : never;

/** What a binary may be given as. */
export type Source =
  | string
  | Platform<'URL'>
  | Platform<'Response'>
  | ArrayBuffer
  | ArrayBufferView<ArrayBuffer>
  | Wasm<'Module'>;
