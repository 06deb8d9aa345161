import 'pretendard/dist/web/variable/pretendardvariable-dynamic-subset.css';
import '@fontsource/jetbrains-mono/latin-400.css';

/** All characters of the page's text in the language that is shown. */
function shownText(): string {
  const hidden = document.documentElement.lang === 'ko' ? 'en' : 'ko';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL, (node) => {
    const isSkipped =
      node instanceof Element && (node.matches('script, template') || node.getAttribute('lang') === hidden);
    return isSkipped ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
  });
  const characters = new Set<string>();
  while (walker.nextNode()) {
    if (walker.currentNode instanceof Text) for (const one of walker.currentNode.data) characters.add(one);
  }
  return [...characters].join('');
}

/** Loads the files of the fonts that the page's text needs, and sets the page in them at once: each change lays it out again. */
export async function showFonts(): Promise<void> {
  const text = shownText();
  const names = ["1rem 'Pretendard Variable'", "1rem 'JetBrains Mono'"];
  // A font that does not come leaves the page in the system's.
  await Promise.allSettled(names.map((name) => document.fonts.load(name, text)));
  document.documentElement.classList.add('fonts');
}
