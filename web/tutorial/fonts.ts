import 'pretendard/dist/web/variable/pretendardvariable-dynamic-subset.css';
import '@fontsource/jetbrains-mono/latin-400.css';
import address from 'virtual:page-font';
import { nextTask } from './tasks.js';

/** Makes the browser decode a font's file, which it does with the first use: all in one task would take long. */
function decode({ family }: FontFace): void {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return;
  context.font = `1em ${family}`;
  context.measureText('A');
}

/** The parts of the first screen. */
const PARTS = 'body > header, .hero > :not(.stage), .hero > .stage > *';

/**
 * Shows the page's own fonts once all of their files are there: the text is laid out anew once, not with each of the files, and
 * one part of the first screen after the other, so that no task is long.
 */
export async function showFonts(): Promise<void> {
  const own = new FontFace('PagePretendard', `url("${address}")`, { weight: '400 700' });
  document.fonts.add(own);
  const fonts = await Promise.allSettled([own.load(), document.fonts.load("1em 'JetBrains Mono'")]);
  // Without a network the page keeps the system's fonts.
  for (const face of fonts.flatMap((font) => (font.status === 'fulfilled' ? font.value : []))) {
    decode(face);
    await nextTask();
  }
  for (const part of [...document.querySelectorAll(PARTS), document.documentElement]) {
    part.classList.add('fonts');
    await new Promise(requestAnimationFrame);
    await nextTask();
  }
}
