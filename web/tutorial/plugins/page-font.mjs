import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import subsetFont from 'subset-font';

const FONT = createRequire(import.meta.url).resolve(
  'pretendard/dist/web/variable/woff2/PretendardVariable.woff2',
);
/** The lightest and the boldest text of page and figures. */
const WEIGHTS = { min: 400, max: 700 };
const MODULE = 'virtual:page-font';

/** All characters of the texts in a folder's sources. */
function charactersOf(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => /\.(html|m?js|ts)$/.test(file));
  return new Set(files.flatMap((file) => [...readFileSync(path.join(folder, file), 'utf8')]));
}

/**
 * Provides the address of a font that has only the characters of the page and its figures: one file instead of the 24 parts of
 * the whole font in which they are spread.
 *
 * @param folders of the sources whose texts are shown
 */
export function pageFont(...folders) {
  let isBuild = false;
  return {
    name: 'page-font',
    configResolved({ command }) {
      isBuild = command === 'build';
    },
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    async load(id) {
      if (id !== `\0${MODULE}`) return null;
      const text = folders.flatMap((folder) => [...charactersOf(folder)]).join('');
      const source = await subsetFont(readFileSync(FONT), text, {
        targetFormat: 'woff2',
        variationAxes: { wght: WEIGHTS },
      });
      if (!isBuild) return `export default 'data:font/woff2;base64,${source.toString('base64')}'`;
      const file = this.emitFile({ type: 'asset', name: 'page.woff2', source });
      return `export default import.meta.ROLLUP_FILE_URL_${file}`;
    },
  };
}
