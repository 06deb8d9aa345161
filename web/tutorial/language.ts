import { texts, type Language } from './texts.js';

const root = document.documentElement;

/** The language that the page is read in. */
export const language = (): Language => (root.lang === 'en' ? 'en' : 'ko');

function showLanguage(): void {
  const { title, description } = texts[language()];
  document.title = title;
  document.querySelector('meta[name=description]')?.setAttribute('content', description);
  for (const link of document.querySelectorAll('.languages a')) {
    if (link.getAttribute('hreflang') === root.lang) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

/** Makes the language switch change the page where it stands: scroll, figures and fragment stay. */
export function switchLanguages(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a')) {
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      root.lang = link.hreflang;
      const url = new URL(location.href);
      url.searchParams.set('lang', link.hreflang);
      history.replaceState(history.state, '', url);
      showLanguage();
    });
  }
  showLanguage();
}
