/** A page for each entry of the package; all is as Vite has it by itself. */
const pages = ['elements', 'matrix', 'explorer', 'steps', 'training', 'code'];

export default {
  base: './',
  build: { rollupOptions: { input: pages.map((page) => `${page}.html`) } },
};
