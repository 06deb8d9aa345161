/**
 * Draws the figure that the URL's query describes, and reports its height to the parent page. `tag` is the element, `lang`
 * and `theme` (`light` or `dark`) apply to this page, all others are the element's attributes.
 */
import './standalone.js';

const query = new URLSearchParams(location.search);
const root = document.documentElement;
const isKorean = (query.get('lang') ?? navigator.language).toLowerCase().startsWith('ko');
root.lang = isKorean ? 'ko' : 'en';
document.title = isKorean ? '멀티헤드 어텐션' : 'Multi-head attention';
if (['light', 'dark'].includes(query.get('theme'))) root.style.colorScheme = query.get('theme');

const tag = query.get('tag') ?? 'mha-explorer';
const definition = customElements.get(tag);
const figure = document.createElement(definition ? tag : 'p');
if (definition) {
  const attributes = definition.observedAttributes.filter((name) => query.has(name));
  for (const name of attributes) figure.setAttribute(name, query.get(name));
} else {
  figure.textContent = isKorean ? `그릴 수 없는 태그예요: ${tag}` : `There is no such figure: ${tag}`;
}
document.querySelector('main').replaceChildren(figure);

/** To any origin: the height is no secret. */
const reportHeight = () => {
  const { height } = document.body.getBoundingClientRect();
  parent.postMessage({ type: 'mha-height', height: Math.ceil(height) }, '*');
};
new ResizeObserver(reportHeight).observe(document.body);
addEventListener('message', ({ source, data }) => {
  if (source === parent && data?.type === 'mha-height?') reportHeight();
});
