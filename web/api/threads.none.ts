/** Replaces `threads.ts` in files that have only single-threaded binaries, such as `standalone.js`. */
const missing = (): never => {
  throw new Error('this file has no multi-threaded binaries');
};

export const threadsFor = (): number => 0;
export const urlOf: (build: string) => URL = missing;
export const instantiate: (module: WebAssembly.Module, threads: number) => Promise<never> = missing;
