/** Written by plugins/page-font.mjs. */
declare module 'virtual:page-font' {
  /** Address of the font with the characters of the page. */
  const address: string;
  export default address;
}
