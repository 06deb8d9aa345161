export default { optimizeDeps: { exclude: ['multihead-attention'] } };
