import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Emits a classic script under a name with its hash: Vite does so only for modules, which run after the first paint.
 */
export function plainScript(file) {
  const name = path.basename(file);
  return {
    name: 'plain-script',
    apply: 'build',
    buildStart() {
      this.addWatchFile(file);
      this.emitFile({ type: 'asset', name, source: readFileSync(file) });
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const { fileName } = Object.values(bundle).find(({ names }) => names?.includes(name));
        return html.replace(`"./${name}"`, `"./${fileName}"`);
      },
    },
  };
}
