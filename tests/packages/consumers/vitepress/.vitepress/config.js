export default {
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('mha-') } } },
  // For `vitepress dev`: its Vite is version 5.
  vite: { optimizeDeps: { exclude: ['multihead-attention'] } },
};
