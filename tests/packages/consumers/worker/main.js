import 'multihead-attention/elements/matrix';

const text =
  'the bank can guarantee deposits will eventually cover future tuition costs because it has enough money';
const tokens = text.split(' ');
const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
worker.onmessage = ({ data: weights }) => {
  document.querySelector('mha-matrix').data = { tokens, weights };
};
worker.postMessage(tokens.length);
