import type { StackAccess } from '../wasm/attention.js';

/**
 * Calls into C++. An error thrown there leaves its frames on the module's own stack; without taking them off,
 * about a thousand caught errors would overflow it and overwrite what lies below.
 */
export function enter<R>(binding: StackAccess, call: () => R): R {
  const position = binding.stackSave();
  try {
    return call();
  } catch (error) {
    binding.stackRestore(position);
    throw error;
  }
}
