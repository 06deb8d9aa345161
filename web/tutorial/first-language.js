/* global document, location, navigator, URLSearchParams */
// A plain script in the head: the language is known before anything is painted.
{
  const asked = new URLSearchParams(location.search).get('lang');
  const preferred = navigator.language.toLowerCase().startsWith('ko') ? 'ko' : 'en';
  document.documentElement.lang = asked === 'ko' || asked === 'en' ? asked : preferred;
}
