import { load } from 'multihead-attention';

const { documents } = await load();
const { weights } = documents.run('001-b').tensors;
console.log(JSON.stringify(weights.toNested()));
