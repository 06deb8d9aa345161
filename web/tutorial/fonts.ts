import 'pretendard/dist/web/variable/pretendardvariable-dynamic-subset.css';
import '@fontsource/jetbrains-mono/latin-400.css';
import { language } from './language.js';

/** The page's text in the language that is shown, with that of the figures. */
function textOf(root: Node, other: string): string {
  if (root instanceof Text) return root.data;
  if (
    root instanceof Element &&
    (root.matches('script, style, template') || root.getAttribute('lang') === other)
  )
    return '';
  const children: Node[] = [...root.childNodes];
  if (root instanceof Element && root.shadowRoot) children.push(root.shadowRoot);
  return children.map((child) => textOf(child, other)).join('');
}

/**
 * Shows the page's own fonts once all of their files for this text are there: the text is laid out anew once, not with each of
 * the files.
 */
export async function showFonts(): Promise<void> {
  const letters = [...new Set(textOf(document.body, language() === 'ko' ? 'en' : 'ko'))].join('');
  await Promise.allSettled(
    // The variable font has all weights.
    ["1em 'Pretendard Variable'", "1em 'JetBrains Mono'"].map((font) => document.fonts.load(font, letters)),
  );
  document.documentElement.classList.add('fonts');
}
