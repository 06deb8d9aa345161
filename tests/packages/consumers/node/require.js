const { load } = require('multihead-attention');

load().then(({ documents }) => {
  const { weights } = documents.run('001-b').tensors;
  console.log(JSON.stringify(weights.toNested()));
});
