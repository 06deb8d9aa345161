/* global addEventListener, document, localStorage, location, navigator, URLSearchParams */
// A classic script in the head, so that language and question are set before the first paint.
{
  const asked = new URLSearchParams(location.search).get('lang');
  const preferred = navigator.language.toLowerCase().startsWith('ko') ? 'ko' : 'en';
  document.documentElement.lang = asked === 'ko' || asked === 'en' ? asked : preferred;

  // The question of the first figure (guess.ts) is asked once, and not of a reader whose link names a figure's state.
  let isKnown = location.hash.includes('cat.');
  try {
    isKnown ||= localStorage.getItem('guess') !== null;
  } catch {
    // A page without storage asks each time.
  }
  const { classList } = document.documentElement;
  classList.toggle('asks', !isKnown);
  // A page that opens at its top draws the first figure before it lays the chapters out (chapters.ts).
  classList.toggle('opens', location.hash === '');
  // Without the page's module nobody would take the answer.
  addEventListener('load', () => {
    if (!classList.contains('listens')) classList.remove('asks', 'opens');
  });
}
