import 'pretendard/dist/web/variable/pretendardvariable-dynamic-subset.css';
import '@fontsource/jetbrains-mono/latin-400.css';
import { language } from './language.js';
import { nextTask } from './tasks.js';

/** Makes the browser decode a font's file, which it does with the first use: all in one task would take long. */
function decode({ family, unicodeRange }: FontFace): void {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return;
  context.font = `1em ${family}`;
  const first = /[\da-f]+/i.exec(unicodeRange.slice(2));
  context.measureText(String.fromCodePoint(parseInt(first?.[0] ?? '41', 16)));
}

/**
 * Shows the page's own fonts once all of their files for its text are there: the text is laid out anew once, not with each of
 * the files.
 */
export async function showFonts(): Promise<void> {
  const text = document.body.textContent;
  const letters = [...new Set(language() === 'ko' ? text : text.replace(/\p{Script=Hangul}/gu, ''))].join('');
  const fonts = await Promise.allSettled(
    // The variable font has all weights.
    ["1em 'Pretendard Variable'", "1em 'JetBrains Mono'"].map((font) => document.fonts.load(font, letters)),
  );
  // Without a network the page keeps the system's fonts.
  for (const face of fonts.flatMap((font) => (font.status === 'fulfilled' ? font.value : []))) {
    decode(face);
    await nextTask();
  }
  document.documentElement.classList.add('fonts');
}
