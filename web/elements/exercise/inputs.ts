/** The form of each kind of question. */
import { html, type TemplateResult } from 'lit';
import type { Language } from '../base/language.js';
import type { Answers } from './answers.js';
import { orderOf } from './judge.js';
import { matrixInput, type Stop } from './matrix-input.js';
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
import { rich } from './formula-text.js';
import { LETTERS, parseShape } from './shapes.js';
import { exerciseStrings } from './strings.js';

/** What a form needs of the exercise around it. */
export interface Sheet {
  readonly number: ExerciseNumber;
  readonly language: Language;
  readonly answers: Answers;
  /** Whether the answer was checked and is not right. */
  readonly isWrong: (part: Part) => boolean;
  readonly write: (part: Part, answer: string) => void;
  /** Of each matrix: the place that Tab reaches. */
  readonly stops: Readonly<Record<string, Stop>>;
  readonly setStop: (part: Part, stop: Stop) => void;
  /** A step was moved; its button keeps the focus, and `said` is spoken. */
  readonly moved: (step: string, up: boolean, said: string) => void;
}

export const answerId = ({ id }: Part): string => `answer-${id}`;
export const feedbackId = ({ id }: Part): string => `says-${id}`;
export const promptId = ({ id }: Part): string => `prompt-${id}`;

/** Whether the form is a single control, which the prompt is the label of. */
export const isSingle = (part: Part): boolean =>
  part.kind === 'number' || (part.kind === 'choice' && part.short);

export function input(sheet: Sheet, part: Part): TemplateResult {
  switch (part.kind) {
    case 'number':
      return numberInput(sheet, part);
    case 'shape':
      return shapeInput(sheet, part);
    case 'choice':
      return part.short ? selectInput(sheet, part) : radioInput(sheet, part);
    case 'order':
      return orderInput(sheet, part);
    case 'one-hot':
      return oneHotInput(sheet, part);
    case 'pick':
      return pickInput(sheet, part);
  }
}

const given = ({ answers }: Sheet, { id }: Part): string => answers[id] ?? '';

const numberInput = (sheet: Sheet, part: NumberPart): TemplateResult => html`
  <input
    id=${answerId(part)}
    type="text"
    inputmode="decimal"
    autocomplete="off"
    .value=${given(sheet, part)}
    aria-invalid=${String(sheet.isWrong(part))}
    aria-describedby=${feedbackId(part)}
    @input=${(event: Event) => {
      sheet.write(part, (event.currentTarget as HTMLInputElement).value.trim());
    }}
  />
`;

function shapeInput(sheet: Sheet, part: ShapePart): TemplateResult {
  const strings = exerciseStrings(sheet.language);
  const chosen = parseShape(given(sheet, part));
  const side = (index: 0 | 1, label: string) => html`
    <select
      aria-label=${label}
      aria-invalid=${String(sheet.isWrong(part))}
      aria-describedby=${feedbackId(part)}
      @change=${(event: Event) => {
        const { value } = event.currentTarget as HTMLSelectElement;
        const sides = chosen.map((letter, side) => (side === index ? value : (letter ?? '')));
        sheet.write(part, sides.some(Boolean) ? sides.join('.') : '');
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

function selectInput(sheet: Sheet, part: ChoicePart): TemplateResult {
  const { options = {} } = textsOf(sheet.number, part, sheet.language);
  const chosen = given(sheet, part);
  return html`
    <select
      id=${answerId(part)}
      aria-invalid=${String(sheet.isWrong(part))}
      aria-describedby=${feedbackId(part)}
      @change=${(event: Event) => {
        sheet.write(part, (event.currentTarget as HTMLSelectElement).value);
      }}
    >
      <option value="" ?selected=${chosen === ''}>${exerciseStrings(sheet.language).choose}</option>
      ${part.options.map(
        (option) =>
          html`<option value=${option} ?selected=${chosen === option}>
            ${plainText(options[option] ?? option)}
          </option>`,
      )}
    </select>
  `;
}

function radioInput(sheet: Sheet, part: ChoicePart): TemplateResult {
  const { options = {} } = textsOf(sheet.number, part, sheet.language);
  return html`<div class="options">
    ${part.options.map(
      (option) => html`
        <label class="check">
          <input
            type="radio"
            name=${part.id}
            value=${option}
            .checked=${given(sheet, part) === option}
            aria-describedby=${feedbackId(part)}
            @change=${() => {
              sheet.write(part, option);
            }}
          />
          <span>${rich(options[option] ?? option)}</span>
        </label>
      `,
    )}
  </div>`;
}

function orderInput(sheet: Sheet, part: OrderPart): TemplateResult {
  const strings = exerciseStrings(sheet.language);
  const { options = {} } = textsOf(sheet.number, part, sheet.language);
  const order = orderOf(part, given(sheet, part));
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
        sheet.moved(step, up, strings.moved(name, other + 1));
        sheet.write(
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
          <span>${rich(options[step] ?? step)}</span>
          <span class="buttons">${button(step, index, true)} ${button(step, index, false)}</span>
        </li>
      `,
    )}
  </ol>`;
}

/** What the two kinds of matrices have in common. */
const matrixOf = (sheet: Sheet, part: OneHotPart | PickPart, first: Stop) => ({
  labelledBy: promptId(part),
  describedBy: feedbackId(part),
  stop: sheet.stops[part.id] ?? first,
  onStop: (stop: Stop) => {
    sheet.setStop(part, stop);
  },
});

function oneHotInput(sheet: Sheet, part: OneHotPart): TemplateResult {
  const strings = exerciseStrings(sheet.language);
  const ones = parseOnes(given(sheet, part), part.rows);
  const valueAt = (row: number, column: number) => Number(ones[row]?.includes(column) ?? false);
  return matrixInput({
    ...matrixOf(sheet, part, { row: 0, column: 0 }),
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
      const turned = ones.map((columns, index) => {
        if (index !== row) return columns;
        return columns.includes(column) ? columns.filter((other) => other !== column) : [...columns, column];
      });
      sheet.write(part, onesText(turned));
    },
  });
}

function pickInput(sheet: Sheet, part: PickPart): TemplateResult {
  const strings = exerciseStrings(sheet.language);
  const chosen = given(sheet, part);
  return matrixInput({
    ...matrixOf(sheet, part, { row: 0, column: -1 }),
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
      sheet.write(part, text === chosen ? '' : text);
    },
  });
}
