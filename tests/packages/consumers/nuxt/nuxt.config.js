import { defineNuxtConfig } from 'nuxt/config';

export default defineNuxtConfig({
  vue: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('mha-') } },
  hooks: {
    // Nuxt would let every reader download all binaries and workers in advance: 0.8 MB.
    'build:manifest': (manifest) => {
      for (const file of Object.values(manifest)) file.prefetch = false;
    },
  },
});
