import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { percent } from './charts.js';
import type { History } from './history.js';
import type { RunController } from './run-controller.js';
import type { TrainingStrings } from './strings.js';

/** Renders a progress bar of the training, with the estimated time left. */
export function progressBar(
  { phase, steps }: RunController,
  history: History,
  strings: TrainingStrings,
): TemplateResult {
  const number = (value: number) => strings.number(value);
  const seconds = history.pace > 0 ? (steps - history.step) / history.pace : 0;
  const left =
    phase !== 'training' || seconds < 0.5
      ? ''
      : seconds < 90
        ? strings.left(Math.ceil(seconds))
        : strings.leftMinutes(Math.round(seconds / 60));
  const accuracy = history.lastEvaluation?.accuracy;
  return html`
    <div part="progress">
      <progress max=${steps} value=${history.step} aria-label=${strings.progress}></progress>
      <p class="counts">
        ${
          phase === 'preparing'
            ? html`<span>${strings.preparing}</span>`
            : html`
                <span class="number">${strings.stepOf(number(history.step), number(steps))}</span>
                ${accuracy === undefined ? nothing : html`<span class="number">${strings.accuracyAxis} ${percent(accuracy)}</span>`}
                ${history.tokens > 0 ? html`<span class="number">${strings.shown(number(history.tokens))}</span>` : nothing}
                <span class="number">${left}</span>
              `
        }
      </p>
    </div>
  `;
}

/** Says whether the weights are untrained, trained here or from a file (at step `at`), and how large the model is. */
export function weightsLabel(history: History | null, at: number | null, strings: TrainingStrings): string {
  const number = (value: number) => strings.number(value);
  if (!history) return strings.nothing;
  const step = at ?? history.step;
  const { loadedAt, plan } = history;
  const origin =
    step === 0
      ? strings.untrained
      : loadedAt === null
        ? strings.trained(number(step))
        : step === loadedAt
          ? strings.loaded(number(step))
          : strings.loadedAndTrained(number(loadedAt), number(step - loadedAt));
  if (history.parameterCount === 0) return origin;
  return `${origin}. ${strings.model(plan.numLayers, plan.numHeads, number(history.parameterCount))}`;
}

/** Slider over the steps whose model was kept; `at` is the chosen one, null the current model. */
export function timeSlider(
  history: History,
  at: number | null,
  strings: TrainingStrings,
  show: (step: number | null) => void,
): TemplateResult {
  const steps = history.kept;
  const last = steps.length;
  const index = at === null ? last : Math.max(0, steps.indexOf(at));
  const name = at === null ? strings.now : strings.atStep(strings.number(at));
  return html`
    <div part="time" class="time">
      <p class="moment">
        <span class="title">${strings.time}</span>
        <span class="number"
          >${strings.atStep(strings.number(at ?? history.step))}${at === null ? ` (${strings.now})` : ''}</span
        >
      </p>
      <div class="line">
        <button
          type="button"
          class="link"
          data-time="untrained"
          ?disabled=${!steps.includes(0)}
          @click=${() => {
            show(0);
          }}
        >
          ${strings.toUntrained}
        </button>
        <input
          type="range"
          name="time"
          min="0"
          max=${last}
          step="1"
          .value=${live(String(index))}
          aria-label=${strings.time}
          aria-valuetext=${name}
          ?disabled=${last === 0}
          @input=${({ currentTarget }: Event) => {
            show(steps[Number((currentTarget as HTMLInputElement).value)] ?? null);
          }}
        />
        <button
          type="button"
          class="link"
          data-time="now"
          ?disabled=${at === null}
          @click=${() => {
            show(null);
          }}
        >
          ${strings.toNow}
        </button>
      </div>
    </div>
  `;
}
