export default {
  title: 'Attention',
  url: 'https://example.org',
  baseUrl: '/below/a/path/',
  trailingSlash: true,
  headTags: [{ tagName: 'link', attributes: { rel: 'icon', href: 'data:,' } }],
  clientModules: ['./src/elements.js'],
  presets: [['classic', { docs: false, blog: false }]],
};
