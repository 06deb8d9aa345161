import { load } from 'multihead-attention';
import 'multihead-attention/elements';

const { documents } = await load();
const { weights } = documents.run('001-b').tensors;
document.querySelector('#weights').textContent = JSON.stringify(weights.toNested());

// Models are downloaded when a page first uses one.
globalThis.compute = async (...given) => (await import('./model.js')).compute(...given);
