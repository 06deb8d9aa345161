/**
 * Draws the figure that the address describes, and tells the page around it how high it is. `tag` is the element,
 * `lang` and `theme` (`light` or `dark`) are those of this page, all others are the element's attributes.
 */
import './standalone.js';

const asked = new URLSearchParams(location.search);
const root = document.documentElement;
const isKorean = (asked.get('lang') ?? navigator.language).toLowerCase().startsWith('ko');
root.lang = isKorean ? 'ko' : 'en';
document.title = isKorean ? '멀티헤드 어텐션' : 'Multi-head attention';
if (['light', 'dark'].includes(asked.get('theme'))) root.style.colorScheme = asked.get('theme');

const tag = asked.get('tag') ?? 'mha-explorer';
const definition = customElements.get(tag);
const figure = document.createElement(definition ? tag : 'p');
if (definition) {
  const attributes = definition.observedAttributes.filter((name) => asked.has(name));
  for (const name of attributes) figure.setAttribute(name, asked.get(name));
} else {
  figure.textContent = isKorean ? `그릴 수 없는 태그예요: ${tag}` : `There is no such figure: ${tag}`;
}
document.querySelector('main').replaceChildren(figure);

/** Whoever frames this page may know its height: it is no secret. */
const tellHeight = () => {
  const { height } = document.body.getBoundingClientRect();
  parent.postMessage({ type: 'mha-height', height: Math.ceil(height) }, '*');
};
new ResizeObserver(tellHeight).observe(document.body);
addEventListener('message', ({ source, data }) => {
  if (source === parent && data?.type === 'mha-height?') tellHeight();
});
