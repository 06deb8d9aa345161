/** What a pretrained model predicts for a text, with and without the heads that are taken out, and continuing the text. */
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { LikelyToken } from '../../../models/choices.js';
import type { WorkerModel } from '../../../models/in-worker.js';
import type { HeadMaskOptions } from '../../../models/inputs.js';
import { ablatedHeads, ablatedText } from '../../../sources/ablated.js';
import type { HeadPlace } from '../../../sources/figure.js';
import { headMaskOf, type ModelTask } from '../../../sources/model.js';
import type { TextRequest } from '../../../sources/source.js';
import { barList } from '../../base/bar-list.js';
import { valueOf } from '../../base/controls.js';
import { languageOfText } from '../../base/language.js';
import { problemStringsFor } from '../../base/problem-strings.js';
import { formatWeight } from '../../base/strings.js';
import { ModelPanel } from './model-panel.js';
import type { PanelStrings } from './strings.js';
import { cosine, meanRow, rowsOf } from './sentence-vectors.js';
import { stringsFor } from '../strings.js';

/** How the next token is drawn, as in the options of `generate`. */
interface Sampling {
  readonly temperature: number;
  /** null draws from the whole vocabulary. */
  readonly topK: number | null;
  readonly seed: number;
}

/** Always the likeliest token. */
const GREEDY: Sampling = { temperature: 0, topK: null, seed: 0 };

/** The settings of the attribute `sampling`: "temperature topK seed", the last two optional, topK 0 for all; else null. */
function samplingOf(text: string): Sampling | null {
  if (text.trim() === '') return GREEDY;
  const [, temperature, topK = '0', seed = '0'] =
    /^\s*(\d+(?:\.\d+)?)(?:\s+(\d{1,4})(?:\s+(\d{1,10}))?)?\s*$/.exec(text) ?? [];
  const numbers = { temperature: Number(temperature), topK: Number(topK) || null, seed: Number(seed) };
  // Comparisons with NaN, of a text that is not of this form, are false.
  return numbers.temperature <= 2 && (numbers.topK ?? 1) <= 1000 && numbers.seed < 2 ** 32 ? numbers : null;
}

/** The attribute's text for some settings; '' if the likeliest token is always taken. */
const samplingText = ({ temperature, topK, seed }: Sampling): string =>
  temperature === 0 && topK === null && seed === 0 ? '' : `${temperature} ${topK ?? 0} ${seed}`;

interface PredictionRequest extends TextRequest {
  readonly sampling: Sampling;
}

/** Likely tokens at one place of a text. */
interface Prediction {
  readonly tokens: readonly LikelyToken[];
  /** The same of the model with all heads; null where none is taken out. */
  readonly withAll: readonly LikelyToken[] | null;
}

/** A token of the text, and the cosine of its last hidden state with that of the model with all heads. */
interface Change {
  readonly token: string;
  readonly cosine: number;
}

type Predictions =
  /** Of a causal model: the next token, and the text with it; null where the model ends the text. */
  | { readonly kind: 'next'; readonly prediction: Prediction; readonly next: string | null }
  /** Of a model that fills masks: a prediction each. */
  | { readonly kind: 'masks'; readonly predictions: readonly Prediction[] }
  /** Of a model without such a head. Without heads taken out there is no change. */
  | { readonly kind: 'states'; readonly text: number; readonly tokens: readonly Change[] }
  | { readonly kind: 'none' };

/** Tokens in a list. */
const LINES = 8;

/** Tokens of white space alone that are passed to the next one: a text that ends in one cannot be typed. */
const MOST_BLANK = 4;

async function readNext(model: WorkerModel, { text, sampling }: PredictionRequest, mask: HeadMaskOptions) {
  const { topK, ...others } = sampling;
  const generate = async (options: HeadMaskOptions, maxNewTokens: number) => {
    let tokens: readonly LikelyToken[] = [];
    const generated = await model.generate(text, {
      ...{ ...others, ...options, maxNewTokens, candidates: LINES },
      ...(topK !== null && { topK }),
      onToken: ({ candidates = [] }) => {
        // Those of the first new token.
        if (tokens.length === 0) tokens = candidates;
      },
    });
    return { tokens, text: generated.text.trim() };
  };
  let generated = await generate(mask, 1);
  const { tokens } = generated;
  for (let count = 2; count <= MOST_BLANK && generated.text === text; count++)
    generated = await generate(mask, count);
  const withAll = mask.headMask ? (await generate({}, 1)).tokens : null;
  return {
    kind: 'next',
    prediction: { tokens, withAll },
    next: generated.text === text ? null : generated.text,
  } as const;
}

async function readMasks(model: WorkerModel, text: string, mask: HeadMaskOptions) {
  const guesses = await model.fillMask(text, LINES, mask);
  const withAll = mask.headMask ? await model.fillMask(text, LINES) : null;
  const predictions = guesses.map((tokens, place) => ({ tokens, withAll: withAll?.[place] ?? null }));
  return { kind: 'masks', predictions } as const;
}

async function readStates(model: WorkerModel, text: string, mask: HeadMaskOptions) {
  const run = async (options: HeadMaskOptions) => {
    const output = await model.forward(text, { attentions: false, ...options });
    return { shown: output.shown, rows: rowsOf(output) };
  };
  const [{ shown, rows }, { rows: all }] = [await run(mask), await run({})];
  const none = new Float32Array();
  const tokens = shown.map((token, place) => ({
    token,
    cosine: cosine(rows[place] ?? none, all[place] ?? none),
  }));
  return { kind: 'states', text: cosine(meanRow(rows), meanRow(all)), tokens } as const;
}

const predictionTask: ModelTask<PredictionRequest, Predictions> = {
  isSame: (a, b) =>
    a.address === b.address &&
    a.text === b.text &&
    a.ablated === b.ablated &&
    a.sampling.temperature === b.sampling.temperature &&
    a.sampling.topK === b.sampling.topK &&
    a.sampling.seed === b.sampling.seed,
  has: () => true,
  async compute({ model }, request) {
    const { text, ablated } = request;
    const mask = headMaskOf(ablated, model);
    if (model.hasLanguageHead && model.causal) return readNext(model, request, mask);
    if (model.hasLanguageHead && model.mask !== null && text.includes(model.mask))
      return readMasks(model, text, mask);
    if (!model.hasLanguageHead && mask.headMask) return readStates(model, text, mask);
    return { kind: 'none' };
  },
};

const likely = (title: string, tokens: readonly LikelyToken[]): TemplateResult =>
  barList(
    title,
    tokens.map(({ shown, probability }) => ({
      label: shown,
      lang: languageOfText(shown),
      value: probability,
    })),
    { digits: 3 },
  );

/** The tokens whose last hidden state has changed most. */
function changes(tokens: readonly Change[], strings: PanelStrings): TemplateResult {
  const most = tokens.toSorted((a, b) => a.cosine - b.cosine).slice(0, 5);
  return barList(
    strings.changedMost,
    most.map(({ token, cosine }) => ({ label: token, lang: languageOfText(token), value: cosine })),
    { digits: 4 },
  );
}

/** Milliseconds for which each new token is shown while the model continues by itself. */
const PACE = 250;

/** What the model predicts, with and without heads, and how it continues the text. */
export class ExplorerPredictions extends ModelPanel<PredictionRequest, Predictions> {
  /** The texts before each added token, and the last one that was shown. */
  #past: string[] = [];
  #written = '';
  /** Tokens that are still to be written; Infinity while the model continues by itself. */
  #due = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super(predictionTask);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
  }

  get #settings(): Sampling {
    return samplingOf(this.view.sampling) ?? GREEDY;
  }

  /** Every token has a seed of its own, so that the same settings give the same text. */
  protected override get wanted(): PredictionRequest | null {
    const { seed, ...settings } = this.#settings;
    const sampling = { ...settings, seed: (seed + this.#past.length) >>> 0 };
    const { request } = this.view;
    return request && { ...request, layer: 0, sampling };
  }

  /** The text with its next token; null where there is none, undefined until it is known and the figure drawn. */
  get #next(): string | null | undefined {
    const { answer, error } = this.computing;
    const { wanted } = this;
    const { figureState } = this.view;
    if (!wanted || error !== null || figureState === 'refused') return null;
    if (figureState === 'pending' || !answer || !predictionTask.isSame(answer.request, wanted)) {
      return undefined;
    }
    return answer.result.kind === 'next' ? answer.result.next : null;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get('view');
    const text = this.view.request?.text;
    // The reader has written another text.
    if (before && before.request?.text !== text && text !== this.#written) {
      this.#past = [];
      if (this.#due > 0) this.#stop();
    }
  }

  protected override updated(): void {
    if (this.#due === 0 || this.#timer !== undefined) return;
    const next = this.#next;
    if (next === undefined) return;
    if (next === null) this.#stop();
    else if (this.#isRunning) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#write();
      }, PACE);
    } else this.#write();
  }

  /** @param isGrown whether it is the continued text; otherwise that is a new beginning */
  #show(text: string, isGrown: boolean): void {
    this.#written = isGrown ? text : '';
    this.fire('text', { text, isGrown });
    this.requestUpdate();
  }

  get #isRunning(): boolean {
    return this.#due === Infinity;
  }

  #write(): void {
    const next = this.#next;
    if (typeof next !== 'string') return;
    this.#due -= 1;
    this.#past.push(this.view.request?.text ?? '');
    this.#show(next.trim().normalize('NFC'), true);
  }

  /** A press before the next token is known writes it as soon as it is. */
  readonly #step = (): void => {
    if (this.#next === null) return;
    this.#due += 1;
    this.#write();
  };

  readonly #back = (): void => {
    this.#stop();
    const last = this.#past.pop();
    if (last !== undefined) this.#show(last, true);
  };

  readonly #run = (): void => {
    this.#due = Infinity;
    this.requestUpdate();
  };

  readonly #stop = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#due = 0;
    this.requestUpdate();
  };

  protected override wrong(): string {
    const { sampling, language } = this.view;
    return samplingOf(sampling) ? '' : problemStringsFor(language).badSampling(sampling);
  }

  protected override content(predictions: Predictions, { ablated }: PredictionRequest): TemplateResult {
    return html`${this.#results(predictions, ablated)}
    ${predictions.kind === 'next' ? this.#writingTools(predictions.next) : nothing}`;
  }

  /** @param without the heads that are out, as in the attribute `ablated` */
  #results(predictions: Predictions, without: string): unknown {
    const { strings } = this;
    switch (predictions.kind) {
      case 'next':
        return this.#lists(strings.nextToken, predictions.prediction, without);
      case 'masks':
        return predictions.predictions.map((prediction, place) =>
          this.#lists(strings.hiddenWord(place + 1, predictions.predictions.length), prediction, without),
        );
      case 'states':
        return html`<p data-cosine=${predictions.text}>
            ${strings.textChange(formatWeight(predictions.text, 4))}
          </p>
          ${changes(predictions.tokens, strings)}`;
      case 'none': {
        const { model } = this.view;
        const hint = model?.hasLanguageHead
          ? strings.maskHint(model.mask ?? '[MASK]')
          : strings.noLanguageHead;
        return html`<p class="quiet">${hint}</p>
          ${this.hideWord()}`;
      }
    }
  }

  #lists(title: string, { tokens, withAll }: Prediction, without: string): TemplateResult {
    const { strings } = this;
    const heads = ablatedHeads(without).map(this.nameOf);
    return html`<div class="lists">
      ${withAll ? likely(`${title}: ${strings.withAllHeads}`, withAll) : nothing}
      ${likely(withAll ? `${title}: ${strings.without(heads)}` : title, tokens)}
    </div>`;
  }

  /** Buttons to take the chosen head out, and to put back what is out. */
  protected override tools(): TemplateResult {
    const { head, request } = this.view;
    const { strings } = this;
    let out: HeadPlace[] = [];
    try {
      out = ablatedHeads(request?.ablated ?? '');
    } catch {
      // The figure says what is wrong with the attribute.
    }
    const isOut = out.some((one) => one.layer === head?.layer && one.head === head.head);
    const button = (text: string, heads: readonly HeadPlace[]) => {
      const ablated = ablatedText(heads);
      return html`<button
        type="button"
        class="control"
        data-ablated=${ablated}
        @click=${() => {
          this.fire('set', { ablated });
        }}
      >
        ${text}
      </button>`;
    };
    return html`<div class="line">
        ${head && !isOut ? button(strings.takeOut(this.nameOf(head)), [...out, head]) : nothing}
        ${out.map((place) =>
          button(
            strings.putBack(this.nameOf(place)),
            out.filter((one) => one !== place),
          ),
        )}
      </div>
      <p class="quiet">${strings.takeOutMeaning}</p>`;
  }

  /** Buttons that continue the text, and how the next token is drawn. */
  #writingTools(next: string | null): TemplateResult {
    const { strings } = this;
    const names = stringsFor(this.view.language);
    const settings = this.#settings;
    const button = (name: string, text: string, act: () => void, isDisabled: boolean) =>
      html`<button type="button" class="control" data-write=${name} ?disabled=${isDisabled} @click=${act}>
        ${text}
      </button>`;
    const sample = (change: Partial<Sampling>) => {
      this.fire('set', { sampling: samplingText({ ...settings, ...change }) });
    };
    /** The field's whole number; null for anything else. */
    const wholeOf = (event: Event) => {
      const input = event.currentTarget as HTMLInputElement;
      return input.value.trim() !== '' && input.checkValidity() ? Number(input.value) : null;
    };
    return html`
      <div class="line">
        ${button('step', strings.writeNext, this.#step, next === null || this.#isRunning)}
        ${
          this.#isRunning
            ? button('stop', strings.stopWriting, this.#stop, false)
            : button('run', strings.writeOn, this.#run, next === null)
        }
        ${button('back', strings.writeBack, this.#back, this.#past.length === 0)}
        <span class="quiet" role="status">${next === null ? strings.textEnds : ''}</span>
      </div>
      <div class="line">
        <label class="field">
          <span>
            ${names.temperature} <output class="number">${settings.temperature}</output>
            <span class="quiet">${settings.temperature === 0 ? strings.greedy : ''}</span>
          </span>
          <input
            type="range"
            name="sampling-temperature"
            min="0"
            max="2"
            step="0.1"
            .value=${String(settings.temperature)}
            @input=${(event: Event) => {
              sample({ temperature: Number(valueOf(event)) });
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
            .value=${settings.topK === null ? '' : String(settings.topK)}
            @change=${(event: Event) => {
              sample({ topK: wholeOf(event) });
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
            .value=${String(settings.seed)}
            @change=${(event: Event) => {
              const seed = wholeOf(event);
              if (seed !== null) sample({ seed });
            }}
          />
        </label>
      </div>
    `;
  }
}
