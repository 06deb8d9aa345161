/** Renders the form controls of each kind of question. */
import { html, type TemplateResult } from 'lit';
import type { Language } from '../base/language.js';
import type { Answers } from './answers.js';
import { orderOf } from './judge.js';
import type { Cell } from '../base/arrow-keys.js';
import { matrixInput } from './matrix-input.js';
import { plainText, shownNumber, textsOf } from './message.js';
import { onesText, parseOnes, type Place, placeText } from './place.js';
import type {
  ChoicePart,
  ExerciseNumber,
  NumberPart,
  OneHotPart,
  OrderPart,
  Part,
  PickPart,
  ShapePart,
} from './questions.js';
import { withFormulas } from './formula-text.js';
import { LETTERS, parseShape } from './shapes.js';
import { exerciseStrings } from './strings.js';

/** State and callbacks of the exercise that its form controls need. */
export interface InputContext {
  readonly number: ExerciseNumber;
  readonly language: Language;
  readonly answers: Answers;
  /** Whether the answer to this question was checked and is wrong. */
  readonly isWrong: (part: Part) => boolean;
  readonly write: (part: Part, answer: string) => void;
  /** The focusable cell of each matrix, by question id. */
  readonly stops: Readonly<Record<string, Cell>>;
  readonly setStop: (part: Part, stop: Cell) => void;
  /** Called after a step of an order question was moved; the exercise then keeps the focus on its button. */
  readonly onMoved: (step: string, up: boolean, announcement: string) => void;
}

export const answerId = ({ id }: Part): string => `answer-${id}`;
export const feedbackId = ({ id }: Part): string => `says-${id}`;
export const promptId = ({ id }: Part): string => `prompt-${id}`;

/** Whether the question has a single form control, which the prompt can label. */
export const isSingle = (part: Part): boolean =>
  part.kind === 'number' || (part.kind === 'choice' && part.short);

export function input(context: InputContext, part: Part): TemplateResult {
  switch (part.kind) {
    case 'number':
      return numberInput(context, part);
    case 'shape':
      return shapeInput(context, part);
    case 'choice':
      return part.short ? selectInput(context, part) : radioInput(context, part);
    case 'order':
      return orderInput(context, part);
    case 'one-hot':
      return oneHotInput(context, part);
    case 'pick':
      return pickInput(context, part);
  }
}

const given = ({ answers }: InputContext, { id }: Part): string => answers[id] ?? '';

const numberInput = (context: InputContext, part: NumberPart): TemplateResult => html`
  <input
    id=${answerId(part)}
    type="text"
    inputmode="decimal"
    autocomplete="off"
    .value=${given(context, part)}
    aria-invalid=${String(context.isWrong(part))}
    aria-describedby=${feedbackId(part)}
    @input=${(event: Event) => context.write(part, (event.currentTarget as HTMLInputElement).value.trim())}
  />
`;

function shapeInput(context: InputContext, part: ShapePart): TemplateResult {
  const strings = exerciseStrings(context.language);
  const chosen = parseShape(given(context, part));
  const side = (index: 0 | 1, label: string) => html`
    <select
      aria-label=${label}
      aria-invalid=${String(context.isWrong(part))}
      aria-describedby=${feedbackId(part)}
      @change=${(event: Event) => {
        const { value } = event.currentTarget as HTMLSelectElement;
        const sides = chosen.map((letter, side) => (side === index ? value : (letter ?? '')));
        context.write(part, sides.some(Boolean) ? sides.join('.') : '');
      }}
    >
      <option value="" ?selected=${chosen[index] === null}>–</option>
      ${LETTERS.map(
        (letter) => html`<option value=${letter} ?selected=${chosen[index] === letter}>${letter}</option>`,
      )}
    </select>
  `;
  return html`<div class="shape">
    ${side(0, strings.rows)}<span class="formula" aria-hidden="true">×</span>${side(1, strings.columns)}
  </div>`;
}

function selectInput(context: InputContext, part: ChoicePart): TemplateResult {
  const { options = {} } = textsOf(context.number, part, context.language);
  const chosen = given(context, part);
  return html`
    <select
      id=${answerId(part)}
      aria-invalid=${String(context.isWrong(part))}
      aria-describedby=${feedbackId(part)}
      @change=${(event: Event) => context.write(part, (event.currentTarget as HTMLSelectElement).value)}
    >
      <option value="" ?selected=${chosen === ''}>${exerciseStrings(context.language).choose}</option>
      ${part.options.map(
        (option) =>
          html`<option value=${option} ?selected=${chosen === option}>
            ${plainText(options[option] ?? option)}
          </option>`,
      )}
    </select>
  `;
}

function radioInput(context: InputContext, part: ChoicePart): TemplateResult {
  const { options = {} } = textsOf(context.number, part, context.language);
  return html`<div class="options">
    ${part.options.map(
      (option) => html`
        <label class="check">
          <input
            type="radio"
            name=${part.id}
            value=${option}
            .checked=${given(context, part) === option}
            aria-describedby=${feedbackId(part)}
            @change=${() => context.write(part, option)}
          />
          <span>${withFormulas(options[option] ?? option)}</span>
        </label>
      `,
    )}
  </div>`;
}

function orderInput(context: InputContext, part: OrderPart): TemplateResult {
  const strings = exerciseStrings(context.language);
  const { options = {} } = textsOf(context.number, part, context.language);
  const order = orderOf(part, given(context, part));
  const button = (step: string, index: number, up: boolean) => {
    const other = index + (up ? -1 : 1);
    const name = plainText(options[step] ?? step);
    return html`<button
      type="button"
      class=${up ? 'up' : 'down'}
      aria-label=${up ? strings.up(name) : strings.down(name)}
      aria-disabled=${String(!(other in order))}
      @click=${() => {
        const neighbour = order[other];
        if (neighbour === undefined) return;
        context.onMoved(step, up, strings.moved(name, other + 1));
        context.write(
          part,
          order.map((one) => (one === step ? neighbour : one === neighbour ? step : one)).join('.'),
        );
      }}
    >
      ${up ? '↑' : '↓'}
    </button>`;
  };
  return html`<ol class="order">
    ${order.map(
      (step, index) => html`
        <li data-step=${step}>
          <span class="place" aria-hidden="true">${index + 1}</span>
          <span>${withFormulas(options[step] ?? step)}</span>
          <span class="buttons">${button(step, index, true)} ${button(step, index, false)}</span>
        </li>
      `,
    )}
  </ol>`;
}

const sharedMatrixInput = (context: InputContext, part: OneHotPart | PickPart, first: Cell) => ({
  labelledBy: promptId(part),
  describedBy: feedbackId(part),
  stop: context.stops[part.id] ?? first,
  onStop: (stop: Cell) => context.setStop(part, stop),
});

function oneHotInput(context: InputContext, part: OneHotPart): TemplateResult {
  const strings = exerciseStrings(context.language);
  const ones = parseOnes(given(context, part), part.rows);
  const valueAt = (row: number, column: number) => Number(ones[row]?.includes(column) ?? false);
  return matrixInput({
    ...sharedMatrixInput(context, part, { row: 0, column: 0 }),
    rows: ones.map((_, row) =>
      part.columns.map((word, column) => {
        const value = valueAt(row, column);
        return {
          value,
          text: String(value),
          label: `${strings.entry(row + 1, column + 1, String(value))}, ${word}`,
        };
      }),
    ),
    whole: null,
    isChosen: ({ row, column }: Place) => row !== null && column !== null && valueAt(row, column) === 1,
    onChoose: ({ row, column }) => {
      if (column === null) return;
      const toggled = ones.map((columns, index) => {
        if (index !== row) return columns;
        return columns.includes(column) ? columns.filter((other) => other !== column) : [...columns, column];
      });
      context.write(part, onesText(toggled));
    },
  });
}

function pickInput(context: InputContext, part: PickPart): TemplateResult {
  const strings = exerciseStrings(context.language);
  const chosen = given(context, part);
  return matrixInput({
    ...sharedMatrixInput(context, part, { row: 0, column: -1 }),
    rows: part.numbers.rows.map((values, row) =>
      values.map((value, column) => {
        const text = shownNumber(value);
        return { value, text, label: strings.entry(row + 1, column + 1, text) };
      }),
    ),
    whole: strings,
    isChosen: (place) => placeText(place) === chosen,
    onChoose: (place) => {
      const text = placeText(place);
      context.write(part, text === chosen ? '' : text);
    },
  });
}
