import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import type { Patched } from '../../../models/effects.js';
import type { LikelyToken } from '../../../models/choices.js';
import { type ModelTask, checkLength } from '../../../sources/model.js';
import { languageOfText } from '../../base/language.js';
import { valueOf } from '../../base/controls.js';
import { formatDifference } from '../../base/strings.js';
import { type AnswerRequest, canAnswer, isSameAnswer, ModelPanel, namesOf, shownOf } from './model-panel.js';

interface PatchRequest extends AnswerRequest {
  /** The sentence from which outputs are taken. */
  readonly other: string;
}

type Result =
  | { readonly kind: 'none' }
  /** How many tokens the two sentences have. */
  | { readonly kind: 'lengths'; readonly own: number; readonly other: number }
  | { readonly kind: 'patched'; readonly patched: Patched; readonly tokens: readonly LikelyToken[] };

/** @param progress gets how many layers are done */
const patchTask = (progress: (layers: number) => void): ModelTask<PatchRequest, Result> => ({
  isSame: (a, b) => isSameAnswer(a, b) && a.other === b.other,
  has: () => true,
  async compute({ model }, request) {
    const { text, other, position, answer } = request;
    if (!canAnswer(model, request)) return { kind: 'none' };
    const [{ ids }, { ids: others }] = [await model.tokenize(text), await model.tokenize(other)];
    checkLength(model, ids.length);
    if (ids.length !== others.length) return { kind: 'lengths', own: ids.length, other: others.length };
    const place = position === null ? {} : { position };
    // The answers are what the two sentences make the model say, else its likeliest two words.
    const own = (await model.logitLens(text, { ...place, k: 2 })).at(-1)?.tokens ?? [];
    const [first] = (await model.logitLens(other, { ...place, k: 1 })).at(-1)?.tokens ?? [];
    const tokens = first ? [...own, first] : own;
    const [token = null, against = null] = namesOf(answer);
    const chosen = token ?? own[0]?.id;
    const rival =
      against ?? tokens.toReversed().find(({ id, token: name }) => id !== chosen && name !== chosen)?.id;
    progress(0);
    const patched = await model.patch(other, text, {
      ...place,
      ...(chosen !== undefined && { token: chosen }),
      ...(rival !== undefined && { against: rival }),
      onProgress: progress,
    });
    return { kind: 'patched', patched, tokens };
  },
});

/** What the model says if one head's output is that of another sentence. */
export class ExplorerPatch extends ModelPanel<PatchRequest, Result> {
  @state() private done = 0;

  constructor() {
    super(
      patchTask((layers) => {
        this.done = layers;
      }),
    );
  }

  protected override get wanted(): PatchRequest | null {
    const { answerRequest: request } = this;
    const other = this.view.other.trim().normalize('NFC');
    return request && other !== '' ? { ...request, other } : null;
  }

  protected override tools(): TemplateResult {
    const { strings, view } = this;
    const { model } = view;
    const isRunning = this.computing.isComputing && model !== null && this.done > 0;
    return html`<label class="field">
        ${strings.other}
        <input
          name="other"
          autocomplete="off"
          spellcheck="false"
          lang=${languageOfText(view.other) ?? nothing}
          .value=${view.other}
          @change=${(event: Event) => {
            this.fire('set', { other: valueOf(event) });
          }}
        />
      </label>
      <p class="quiet" role="status">
        ${view.other.trim() === '' ? strings.otherMissing : isRunning ? strings.layersDone(this.done, model.numLayers) : ''}
      </p>`;
  }

  protected override content(
    result: Result,
    { answer, ablated }: PatchRequest,
  ): TemplateResult | typeof nothing {
    const { strings } = this;
    if (this.wanted === null) return nothing;
    if (result.kind === 'none') return this.noAnswer();
    if (result.kind === 'lengths') {
      return html`<p class="problem" role="alert">${strings.otherLength(result.own, result.other)}</p>`;
    }
    const { patched, tokens } = result;
    const [, numHeads = 0] = patched.heads.shape;
    const names = namesOf(answer);
    const [word, rival] = [
      shownOf(patched.token, tokens, names[0]),
      shownOf(patched.against, tokens, names[1]),
    ];
    const own = formatDifference(patched.other);
    return html`${ablated === '' ? nothing : html`<p class="quiet">${strings.allHeads}</p>`}
      <p>${strings.patchLeads(word, rival, [own, formatDifference(patched.clean)])}</p>
      ${this.heads(
        {
          title: strings.patchGrid(word, rival),
          values: patched.heads.data.map((value) => value - patched.other),
          numHeads,
          describe: (place, value) =>
            strings.patched(this.nameOf(place), own, formatDifference(patched.other + value)),
        },
        {
          caption: strings.patchTable,
          corner: '',
          columns: [...this.columnsOf(numHeads), strings.wholeLayer],
          rows: this.rowsOf(patched.heads.data, numHeads, (layer) => [patched.layers.data[layer] ?? NaN]),
        },
      )}`;
  }
}
