/** A module, bundled with all that it imports into one script, as text: see `standalone.vite.config.mjs`. */
declare module '*?script' {
  const source: string;
  export default source;
}
