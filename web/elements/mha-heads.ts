import { css, html, nothing, svg, type TemplateResult } from 'lit';
import type { Figure } from './figure.js';
import { MhaView } from './mha-view.js';
import { formatWeight } from './strings.js';
import { styled } from './styled.js';
import { theme } from './theme.js';

/** Shades of a miniature: one path per shade stays crisp and light where a rectangle per weight would not. */
const SHADES = 24;

/**
 * Every head as a miniature of its matrix, to choose from. A chosen word lights its row, and each miniature is as
 * strong as that head's look.
 *
 * @csspart head - one head: name, miniature, number
 * @csspart miniature - the drawing
 * @cssprop [--mha-miniature-size=6.25rem] - the largest side of a miniature
 * @fires mha-select
 * @tag mha-heads
 */
export class MhaHeads extends MhaView {
  static override styles = [
    theme,
    css`
      .heads {
        display: grid;
        /* Eight to a row at most: sixteen heads then stand in two even rows. */
        grid-template-columns: repeat(auto-fit, minmax(max(4rem, 100% / 8 - 0.5rem), 1fr));
        max-width: calc(var(--heads) * (var(--mha-miniature-size, 6.25rem) + 1.5rem));
        margin-inline: auto;
        gap: 0.5rem;
      }
      [role='radio'] {
        display: grid;
        gap: 0.35rem;
        padding: 0.4rem;
        border-radius: 0.6rem;
        cursor: pointer;
        justify-items: center;
        text-align: center;
        min-width: 0;
      }
      [role='radio']:hover {
        background: var(--_hover);
      }
      .name {
        font-size: 0.8125rem;
        line-height: 1.3;
        padding-bottom: calc(0.1rem + 2px);
      }
      [aria-checked='true'] .name {
        font-weight: 650;
        padding-bottom: 0.1rem;
        border-bottom: 2px solid;
      }
      svg {
        display: block;
        width: 100%;
        max-width: var(--mha-miniature-size, 6.25rem);
        aspect-ratio: 1;
        background: var(--_ramp-0);
        border-radius: 0.2rem;
        transition: opacity 0.16s;
        forced-color-adjust: none;
      }
      path {
        fill: var(--_color);
      }
      .row {
        fill: none;
        stroke: var(--_query);
        stroke-width: 1.5px;
        vector-effect: non-scaling-stroke;
      }
      .cell {
        fill: none;
        stroke: var(--_key);
        stroke-width: 2px;
        vector-effect: non-scaling-stroke;
      }
      .note {
        font-size: 0.75rem;
        line-height: 1.3;
        color: var(--_muted);
        max-width: 100%;
        white-space: nowrap;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .brightness {
        margin: 0;
        text-align: center;
        font-size: 0.8125rem;
        line-height: 1.5;
        color: var(--_muted);
      }
      .brightness[hidden] {
        display: block;
        visibility: hidden;
      }
      @media (forced-colors: active) {
        [aria-checked='true'] {
          outline: 2px solid Highlight;
        }
      }
    `,
  ];

  override render(): TemplateResult | typeof nothing {
    const { figure, selection } = this;
    if (!figure) return nothing;
    return html`
      <div
        class="heads"
        ${styled({ '--heads': figure.heads })}
        role="radiogroup"
        aria-label=${this.strings.heads}
        @keydown=${this.#walk}
        @pointerleave=${() => {
          selection.previewHead(null);
        }}
      >
        ${figure.headNames.map((_, head) => this.#head(figure, head))}
      </div>
      <p class="brightness" ?hidden=${selection.shown.query === null}>${this.strings.brightness}</p>
    `;
  }

  #head(figure: Figure, head: number): TemplateResult {
    const { selection, strings } = this;
    const chosen = head === selection.head;
    const { note, strength } = this.#look(figure, head);
    return html`
      <div
        role="radio"
        part="head"
        aria-checked=${String(chosen)}
        tabindex=${chosen ? 0 : -1}
        data-head=${head}
        @click=${() => {
          this.#choose(head);
        }}
        @pointerenter=${(event: PointerEvent) => {
          if (event.pointerType !== 'touch') selection.previewHead(head);
        }}
      >
        <span class="name">${strings.head(figure.headNames[head] ?? head)}</span>
        ${this.#miniature(figure, head, strength)}
        <span class="note">${note}</span>
      </div>
    `;
  }

  /** What the head does with the chosen word, as text and as a strength from 0 to 1. */
  #look(figure: Figure, head: number): { note: TemplateResult | string; strength: number } {
    const { query, key } = this.selection.shown;
    if (query === null) {
      const [strongest] = figure.strongestPairs(head, 1);
      return { note: strongest ? this.strings.maximum(formatWeight(strongest.weight)) : '', strength: 1 };
    }
    if (key !== null) {
      const weight = figure.at(head, query, key);
      return {
        note: html`<data class="number" value=${weight}>${formatWeight(weight)}</data>`,
        strength: weight,
      };
    }
    const best = figure.ranking(head, query).find((entry) => entry.key !== query);
    if (!best) return { note: '', strength: 1 };
    return {
      note: html`${figure.token(best.key)}
        <data class="number" value=${best.weight}>${formatWeight(best.weight)}</data>`,
      strength: best.weight,
    };
  }

  #miniature(figure: Figure, head: number, strength: number): TemplateResult {
    const { query, key } = this.selection.shown;
    const n = figure.size;
    const shades = new Map<number, string>();
    for (let q = 0; q < n; q++) {
      for (let k = 0; k < n; k++) {
        const shade = Math.round(figure.at(head, q, k) * SHADES);
        if (shade > 0) shades.set(shade, `${shades.get(shade) ?? ''}M${k} ${q}h1v1h-1z`);
      }
    }
    return html`
      <svg
        part="miniature"
        aria-hidden="true"
        viewBox="0 0 ${n} ${n}"
        shape-rendering="crispEdges"
        ${styled({ opacity: 0.25 + 0.75 * Math.sqrt(strength) })}
      >
        ${[...shades].map(
          ([shade, d]) => svg`<path class="ramp" ${styled({ '--w': shade / SHADES })} d=${d} />`,
        )}
        ${query === null ? nothing : svg`<rect class="row" x="0" y=${query} width=${n} height="1" />`}
        ${
          query === null || key === null
            ? nothing
            : svg`<rect class="cell" x=${key} y=${query} width="1" height="1" />`
        }
      </svg>
    `;
  }

  #choose(head: number): void {
    this.select((selection) => {
      selection.chooseHead(head);
    });
  }

  readonly #walk = (event: KeyboardEvent): void => {
    const count = this.figure?.heads ?? 0;
    const { head } = this.selection;
    const steps: Record<string, number> = {
      ArrowRight: (head + 1) % count,
      ArrowDown: (head + 1) % count,
      ArrowLeft: (head + count - 1) % count,
      ArrowUp: (head + count - 1) % count,
      Home: 0,
      End: count - 1,
      ' ': head,
      Enter: head,
    };
    const target = steps[event.key];
    if (target === undefined || event.ctrlKey || event.altKey || event.metaKey) {
      this.onEscape(event);
      return;
    }
    event.preventDefault();
    this.#choose(target);
    this.renderRoot.querySelector<HTMLElement>(`[data-head="${target}"]`)?.focus();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'mha-heads': MhaHeads;
  }
}
