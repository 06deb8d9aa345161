import starlight from '@astrojs/starlight';

export default {
  base: '/below/a/path',
  trailingSlash: 'always',
  integrations: [
    starlight({
      title: 'Attention',
      components: { Head: './src/components/Head.astro', Footer: './src/components/Footer.astro' },
      pagefind: false,
    }),
  ],
};
