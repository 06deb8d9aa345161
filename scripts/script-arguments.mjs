import { parseArgs } from 'node:util';
import { Problem } from './bootstrap/problem.mjs';

/** npm consumes options before `--` and passes their values on as positional arguments. */
function refuseOptionsOfNpm({ command, options }, env) {
  const taken = Object.keys(options).filter((name) => env[`npm_config_${name}`] !== undefined);
  if (taken.length === 0) return;
  const right = taken
    .map((name) => (options[name].type === 'boolean' ? `--${name}` : `--${name} …`))
    .join(' ');
  throw new Problem(
    `Options stand behind \`--\`, or npm keeps them:\n\n  ${command} -- "a sentence" ${right}`,
  );
}

/**
 * The options of a command and its other arguments, as `parseArgs` of Node gives them.
 *
 * @param script its `command`, the `usage` that an error repeats, and the `options` of `parseArgs`
 */
export function readScriptArguments(script, args, env) {
  refuseOptionsOfNpm(script, env);
  const { options, usage } = script;
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new Problem(`${error.message}\n\n${usage}`);
  }
}

export function wholeNumber(name, text) {
  if (!/^\d+$/.test(text)) throw new Problem(`--${name} must be a whole number, got "${text}"`);
  return Number(text);
}
