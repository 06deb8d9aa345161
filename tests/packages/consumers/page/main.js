import { load } from 'multihead-attention';
import 'multihead-attention/elements';

const { random, scaledDotProductAttention } = await load();
// One head, 16 words: Q = K = V are random vectors.
const x = random.RandomState(42).normal(0, 0.5, [1, 16, 32]);
const { weights } = scaledDotProductAttention(x, x, x);
document.querySelector('#weights').textContent = JSON.stringify(weights.toNested());

// Models are downloaded when a page first uses one.
globalThis.compute = async (...given) => (await import('./model.js')).compute(...given);
