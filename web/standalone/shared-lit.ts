/** What the files beside `standalone.js` use of Lit. */
export { css, defaultConverter, html, LitElement, noChange, notEqual, nothing, svg } from 'lit';
