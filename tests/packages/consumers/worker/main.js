import 'multihead-attention/elements/matrix';

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => {
  document.querySelector('mha-matrix').data = data;
};
worker.postMessage('001-b');
