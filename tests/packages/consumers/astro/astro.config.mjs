export default { base: '/below/a/path', trailingSlash: 'always' };
