/* global document, location, navigator, URLSearchParams */
// A classic script in the head, so that the language is set before the first paint.
{
  const asked = new URLSearchParams(location.search).get('lang');
  const preferred = navigator.language.toLowerCase().startsWith('ko') ? 'ko' : 'en';
  document.documentElement.lang = asked === 'ko' || asked === 'en' ? asked : preferred;
}
