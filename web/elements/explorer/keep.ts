import { html, type TemplateResult } from 'lit';
import type { ElementState } from '../base/mha-element.js';
import type { MhaView } from '../sentence-view/mha-view.js';
import { fileInTurns } from './file-in-turns.js';
import type { ExplorerStrings } from './strings.js';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;' };

/** The HTML that puts a figure in this state into a page. */
export function snippetOf(tag: string, state: ElementState): string {
  const attributes = Object.entries(state).map(([name, value]) =>
    value === true
      ? ` ${name}`
      : ` ${name}="${String(value).replace(/[&"<]/g, (character) => escapes[character] ?? '')}"`,
  );
  return `<script type="module" src="standalone.js"></script>\n<${tag}${attributes.join('')}></${tag}>`;
}

/** Behind the mark by which spreadsheets know UTF-8. */
function* marked(parts: Iterable<string>): Iterable<string> {
  yield '\ufeff';
  yield* parts;
}

/** Hands a file to the reader. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the file after the click; a minute is enough for any size.
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  }, 60_000);
}

/** What is being saved, by element: another file is begun when this one is given up. */
const saving = new WeakMap<MhaView, AbortController>();

/** Buttons that save the figure of `element` or copy its HTML; `say` tells the reader how it went. */
export function keepTools(
  element: MhaView,
  strings: ExplorerStrings,
  said: string,
  say: (said: string) => void,
): TemplateResult {
  const kinds: readonly [string, string, (signal: AbortSignal) => Blob | Promise<Blob>][] = [
    ['SVG', 'svg', () => new Blob([element.toSVG()], { type: 'image/svg+xml' })],
    ['PNG', 'png', () => element.toPNG()],
    ['CSV', 'csv', (signal) => fileInTurns(marked(element.csv()?.parts() ?? []), 'text/csv', signal)],
    [
      strings.saveJSON,
      'json',
      (signal) => fileInTurns(element.figure?.jsonParts() ?? ['null'], 'application/json', signal),
    ],
  ];
  return html`
    <fieldset>
      <legend>${strings.keep}</legend>
      <div class="buttons">
        ${kinds.map(
          ([label, extension, make]) => html`
            <button
              type="button"
              class="control"
              data-save=${extension}
              @click=${async () => {
                saving.get(element)?.abort();
                const controller = new AbortController();
                const { signal } = controller;
                saving.set(element, controller);
                try {
                  say(strings.saving);
                  save(await make(signal), `attention.${extension}`);
                  say('');
                } catch (error) {
                  if (signal.aborted) return;
                  console.error(error);
                  say(strings.saveFailed);
                }
              }}
            >
              ${label}
            </button>
          `,
        )}
        <button
          type="button"
          class="control"
          data-copy
          @click=${async () => {
            try {
              await navigator.clipboard.writeText(snippetOf(element.localName, element.state));
              say(strings.copied);
            } catch {
              say(strings.notCopied);
            }
          }}
        >
          ${strings.copySnippet}
        </button>
      </div>
      <p class="quiet" role="status">${said}</p>
    </fieldset>
  `;
}
