import { html, type TemplateResult } from 'lit';
import type { ElementState } from '../base/mha-element.js';
import type { MhaView } from '../sentence-view/mha-view.js';
import { timeSlicedBlob } from './time-sliced-blob.js';
import type { ExplorerStrings } from './strings.js';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;' };

/** HTML code for an element with this state. */
export function snippetOf(tag: string, state: ElementState): string {
  const attributes = Object.entries(state).map(([name, value]) =>
    value === true
      ? ` ${name}`
      : ` ${name}="${String(value).replace(/[&"<]/g, (character) => escapes[character] ?? '')}"`,
  );
  return `<script type="module" src="standalone.js"></script>\n<${tag}${attributes.join('')}></${tag}>`;
}

/** Prepends a byte order mark, by which spreadsheets detect UTF-8. */
function* withMark(parts: Iterable<string>): Iterable<string> {
  yield '\ufeff';
  yield* parts;
}

/** Starts the browser's download of a file. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the blob after the click; a minute is enough for any size.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Controllers of the saves in progress; a new save of the same element aborts the last. */
const saving = new WeakMap<MhaView, AbortController>();

/** Buttons that save the figure of `element` or copy its HTML. `status` is the message about the last save or copy. */
export function exportTools(
  element: MhaView,
  strings: ExplorerStrings,
  status: string,
  setStatus: (status: string) => void,
): TemplateResult {
  const kinds: readonly [string, string, (signal: AbortSignal) => Blob | Promise<Blob>][] = [
    ['SVG', 'svg', () => new Blob([element.toSVG()], { type: 'image/svg+xml' })],
    ['PNG', 'png', () => element.toPNG()],
    ['CSV', 'csv', (signal) => timeSlicedBlob(withMark(element.csv()?.parts() ?? []), 'text/csv', signal)],
    [strings.saveJSON, 'json', (signal) => timeSlicedBlob(element.jsonParts(), 'application/json', signal)],
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
                  setStatus(strings.saving);
                  save(await make(signal), `attention.${extension}`);
                  setStatus('');
                } catch (error) {
                  if (signal.aborted) return;
                  console.error(error);
                  setStatus(strings.saveFailed);
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
              setStatus(strings.copied);
            } catch {
              setStatus(strings.notCopied);
            }
          }}
        >
          ${strings.copySnippet}
        </button>
      </div>
      <p class="quiet" role="status">${status}</p>
    </fieldset>
  `;
}
