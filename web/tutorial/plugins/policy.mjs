/** Where readers' models and pictures may come from: this site, the hub with the hosts of its files, and a package host. */
const SOURCES =
  "'self' https://huggingface.co https://*.huggingface.co https://*.hf.co https://cdn.jsdelivr.net";

/** The page's policy. The development server is without one: it writes scripts and styles into the page. */
export const policy = () => ({
  name: 'policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      injectTo: 'head-prepend',
      attrs: {
        'http-equiv': 'Content-Security-Policy',
        content:
          `default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src ${SOURCES} data: blob:; ` +
          "img-src 'self' data: blob:; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'none'",
      },
    },
  ],
});
