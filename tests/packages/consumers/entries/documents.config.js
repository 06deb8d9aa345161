/** The default of Vite 5 and 6 is older: it has no `await` at the top level. */
export default {
  base: './',
  build: { target: 'es2022', emptyOutDir: false, rollupOptions: { input: 'documents.html' } },
};
