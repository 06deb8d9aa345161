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
