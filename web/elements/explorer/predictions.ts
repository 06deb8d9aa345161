import { css, html, nothing, type TemplateResult } from 'lit';
import type { LikelyToken } from '../../models/next-tokens.js';
import { languageOfText } from '../base/language.js';
import { formatWeight } from '../base/strings.js';
import { styled } from '../base/styled.js';
import { ablatedHeads, ablatedText } from '../model/ablated-heads.js';
import type { HeadPlace } from '../model/head-grid.js';
import type { Strings } from '../sentence-view/strings.js';
import type { Change, Prediction, Predictions, Sampling } from './prediction-reading.js';
import type { ExplorerStrings } from './strings.js';
import type { Writing } from './writing.js';

export const predictionStyles = css`
  .predictions .content {
    display: grid;
    gap: 1rem;
    margin-block: 1rem;
    font-size: 0.875rem;
  }
  .predictions .line {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 0.75rem;
    align-items: end;
  }
  .predictions .lists {
    display: grid;
    gap: 1rem 2rem;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 22rem));
  }
  .predictions input[type='number'] {
    width: 6rem;
  }
`;

export interface PredictionView {
  /** null until something is computed. */
  readonly predictions: Predictions | null;
  /** The heads without which that was computed. */
  readonly without: string;
  /** Whether the model predicts words, and the spelling of its mask. */
  readonly model: { readonly hasLanguageHead: boolean; readonly mask: string | null } | null;
  /** The attribute `ablated`. */
  readonly ablated: string;
  /** The chosen head; null for a summary of heads. */
  readonly head: HeadPlace | null;
  readonly text: string;
  readonly writing: Writing;
  readonly sampling: Sampling;
  readonly sample: (change: Partial<Sampling>) => void;
  /** How far the model's download is. */
  readonly status: TemplateResult | typeof nothing;
  /** Why nothing could be predicted; '' if it could. */
  readonly problem: string;
  readonly names: Strings;
  readonly strings: ExplorerStrings;
  readonly ablate: (ablated: string) => void;
  readonly hide: (text: string) => void;
}

/** What the model predicts for the text, and how that changes without some heads. */
export function predictionView(view: PredictionView): TemplateResult {
  const { predictions, strings, status, problem } = view;
  return html`<div class="content">
    ${status} ${headTools(view)}
    <p class="problem" role="alert">${problem}</p>
    ${predictions ? results(predictions, view) : nothing}
    <p class="quiet" role="status">${predictions || problem !== '' ? '' : strings.computing}</p>
    ${predictions?.kind === 'next' ? writingTools(predictions.next, view) : nothing}
    ${predictions?.kind === 'none' ? hideTools(view) : nothing}
  </div>`;
}

function results(predictions: Predictions, view: PredictionView): TemplateResult {
  const { strings, model } = view;
  switch (predictions.kind) {
    case 'next':
      return html`${lists(strings.nextToken, predictions.prediction, view)}`;
    case 'masks':
      return html`${predictions.predictions.map((prediction, place) =>
        lists(strings.hiddenWord(place + 1, predictions.predictions.length), prediction, view),
      )}`;
    case 'states':
      return html`<p data-cosine=${predictions.text}>
          ${strings.textChange(formatWeight(predictions.text, 4))}
        </p>
        ${changes(predictions.tokens, strings)}`;
    case 'none':
      return html`<p class="quiet">
        ${model?.hasLanguageHead ? strings.maskHint(model.mask ?? '[MASK]') : strings.noLanguageHead}
      </p>`;
  }
}

function lists(title: string, { tokens, withAll }: Prediction, { strings, names, without }: PredictionView) {
  const heads = ablatedHeads(without).map(({ layer, head }) => names.head(head, layer));
  return html`<div class="lists">
    ${withAll ? bars(`${title}: ${strings.withAllHeads}`, withAll) : nothing}
    ${bars(withAll ? `${title}: ${strings.without(heads)}` : title, tokens)}
  </div>`;
}

const bars = (title: string, tokens: readonly LikelyToken[]): TemplateResult =>
  barList(
    title,
    tokens.map(({ shown, probability }) => ({ label: shown, value: probability })),
    3,
  );

/** The tokens whose last hidden state has changed most. */
function changes(tokens: readonly Change[], strings: ExplorerStrings): TemplateResult {
  const most = tokens.toSorted((a, b) => a.cosine - b.cosine).slice(0, 5);
  return barList(
    strings.changedMost,
    most.map(({ token, cosine }) => ({ label: token, value: cosine })),
    4,
  );
}

function barList(
  title: string,
  lines: readonly { label: string; value: number }[],
  digits: number,
): TemplateResult {
  return html`<div class="ranking" role="group" aria-label=${title}>
    <p class="title" aria-hidden="true">${title}</p>
    <ol class="bars">
      ${lines.map(
        ({ label, value }) =>
          html`<li>
            <span lang=${languageOfText(label) ?? nothing}>${label}</span>
            <span class="bar ramp" ${styled({ '--w': Math.max(0, value) })}><span></span></span>
            <data class="number" value=${value}>${formatWeight(value, digits)}</data>
          </li>`,
      )}
    </ol>
  </div>`;
}

/** Buttons to take the chosen head out, and to put back what is out. */
function headTools({ ablated, head, names, strings, ablate }: PredictionView): TemplateResult {
  let out: HeadPlace[] = [];
  try {
    out = ablatedHeads(ablated);
  } catch {
    // The figure says what is wrong with the attribute.
  }
  const isOut = (place: HeadPlace) => out.some((one) => one.layer === place.layer && one.head === place.head);
  const button = (text: string, heads: readonly HeadPlace[]) =>
    html`<button
      type="button"
      class="control"
      data-ablated=${ablatedText(heads)}
      @click=${() => {
        ablate(ablatedText(heads));
      }}
    >
      ${text}
    </button>`;
  return html`<div class="line">
      ${head && !isOut(head) ? button(strings.takeOut(names.head(head.head, head.layer)), [...out, head]) : nothing}
      ${out.map((place) =>
        button(
          strings.putBack(names.head(place.head, place.layer)),
          out.filter((one) => one !== place),
        ),
      )}
    </div>
    <p class="quiet">${strings.takeOutMeaning}</p>`;
}

/** Buttons that continue the text, and how the next token is drawn. */
function writingTools(
  next: string | null,
  { writing, sampling, sample, strings, names }: PredictionView,
): TemplateResult {
  const { isRunning } = writing;
  const button = (name: string, text: string, act: () => void, isDisabled = false) =>
    html`<button type="button" class="control" data-write=${name} ?disabled=${isDisabled} @click=${act}>
      ${text}
    </button>`;
  const numberOf = (event: Event) => {
    const { value } = event.currentTarget as HTMLInputElement;
    return value.trim() === '' ? null : Number(value);
  };
  const whole = (value: number | null, least: number, most: number) =>
    value !== null && Number.isInteger(value) && value >= least && value <= most;
  return html`
    <div class="line">
      ${button(
        'step',
        strings.writeNext,
        () => {
          writing.step();
        },
        next === null || isRunning,
      )}
      ${
        isRunning
          ? button('stop', strings.stopWriting, () => {
              writing.stop();
            })
          : button(
              'run',
              strings.writeOn,
              () => {
                writing.run();
              },
              next === null,
            )
      }
      ${button(
        'back',
        strings.writeBack,
        () => {
          writing.back();
        },
        !writing.canGoBack,
      )}
      <span class="quiet" role="status">${next === null ? strings.textEnds : ''}</span>
    </div>
    <div class="line">
      <label class="field">
        <span>
          ${strings.temperature} <output class="number">${sampling.temperature}</output>
          <span class="quiet">${sampling.temperature === 0 ? strings.greedy : ''}</span>
        </span>
        <input
          type="range"
          name="sampling-temperature"
          min="0"
          max="2"
          step="0.1"
          .value=${String(sampling.temperature)}
          @input=${(event: Event) => {
            sample({ temperature: numberOf(event) ?? 0 });
          }}
        />
      </label>
      <label class="field">
        ${strings.topK}
        <input
          type="number"
          name="top-k"
          min="1"
          max="1000"
          placeholder=${strings.allTokens}
          .value=${sampling.topK === null ? '' : String(sampling.topK)}
          @change=${(event: Event) => {
            const topK = numberOf(event);
            sample({ topK: whole(topK, 1, 1000) ? topK : null });
          }}
        />
      </label>
      <label class="field">
        ${names.seed}
        <input
          type="number"
          name="sampling-seed"
          min="0"
          max=${2 ** 32 - 1}
          .value=${String(sampling.seed)}
          @change=${(event: Event) => {
            const seed = numberOf(event);
            if (whole(seed, 0, 2 ** 32 - 1)) sample({ seed: seed ?? 0 });
          }}
        />
      </label>
    </div>
  `;
}

/** A list of the text's words, of which the chosen one is hidden behind a mask. */
function hideTools({ text, model, strings, hide }: PredictionView): TemplateResult | typeof nothing {
  const { mask = null } = model ?? {};
  if (!model?.hasLanguageHead || mask === null) return nothing;
  const words = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)];
  return html`<label class="field line">
    ${strings.hideWord}
    <select
      name="hidden-word"
      @change=${(event: Event) => {
        const word = words[Number((event.currentTarget as HTMLSelectElement).value)];
        if (word) hide(text.slice(0, word.index) + mask + text.slice(word.index + word[0].length));
      }}
    >
      <option value="">–</option>
      ${words.map(([word], index) => html`<option value=${index}>${word}</option>`)}
    </select>
  </label>`;
}
