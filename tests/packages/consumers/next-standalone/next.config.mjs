export default { output: 'standalone', serverExternalPackages: ['multihead-attention'] };
