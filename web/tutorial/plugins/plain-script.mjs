import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Gives a script that is not a module a name with its hash: it runs in the head before anything is painted, and Vite
 * bundles only modules.
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
