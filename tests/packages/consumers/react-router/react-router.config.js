export default { prerender: ['/', '/second', '/third'], ssr: false };
