import { documents } from 'multihead-attention/documents';

const { weights } = documents.run('001-b').tensors;
console.log(JSON.stringify(weights.toNested()));
