/** Answers its parent process, which may be another version of Node. */
import * as computing from './computing.js';
import { decode, encode } from './transfer.js';

process.on('message', async ({ name, text }) => {
  try {
    process.send({ text: encode((await computing[name](...decode(text))) ?? null) });
  } catch (error) {
    process.send({ error: error.stack });
  }
});
