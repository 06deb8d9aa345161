import { language, texts } from './language.js';
import { whenNear } from './tasks.js';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function fieldOf(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** The attributes of the figure, in the order in which they are written. */
function attributesOf(form: HTMLFormElement): Map<string, string> {
  const source = fieldOf(form, 'sentence') === '' ? 'document' : 'sentence';
  // Of an example, the figure shows one word: all arcs at once tell little.
  const example = form.querySelector<HTMLOptionElement>('[name=document] :checked');
  const token = source === 'document' ? (example?.dataset.token ?? '') : '';
  const attributes = ['lang', 'model', source, 'token', 'heads', 'controls', 'caption'];
  return new Map(
    attributes
      .map((name): [string, string] => [name, name === 'token' ? token : fieldOf(form, name)])
      .filter(([, value]) => value !== ''),
  );
}

/** A disabled field has no value: examples and models have their own number of heads, and only explorers have controls. */
function disableUnused(form: HTMLFormElement): void {
  const isExplorer = fieldOf(form, 'element') === 'mha-explorer';
  const isUnused = {
    heads: fieldOf(form, 'sentence') === '' || fieldOf(form, 'model') !== '',
    controls: !isExplorer,
    caption: !isExplorer,
  };
  for (const [name, disabled] of Object.entries(isUnused))
    Object.assign(form.elements.namedItem(name) ?? {}, { disabled });
}

/** Pause in typing, in milliseconds, after which the preview follows. */
const PAUSE = 200;

/**
 * Makes a form write the HTML of a figure, preview the figure, and copy the HTML. Its fields are a template until then: to fill
 * fields in, browsers lay out the chapter that they are in, however far it is.
 */
function writeSnippet(form: HTMLFormElement): void {
  for (const fields of form.querySelectorAll('template')) fields.replaceWith(fields.content);
  const code = form.querySelector('code');
  const status = form.querySelector('[role=status]');
  const preview = document.getElementById(form.dataset.preview ?? '');
  if (!code || !status || !preview) return;

  const update = () => {
    disableUnused(form);
    const tag = fieldOf(form, 'element');
    const attributes = attributesOf(form);
    const written = [...attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
    code.textContent = `<script type="module" src="standalone.js"></script>\n<${tag}${written}></${tag}>`;

    const figure = document.createElement(tag);
    for (const [name, value] of attributes) figure.setAttribute(name, value);
    preview.replaceChildren(figure);
  };

  // Typing waits for a pause, because each update makes a new figure. A list or a box updates at once.
  let waiting = 0;
  form.addEventListener('input', ({ target }) => {
    const isTyped = target instanceof HTMLInputElement && target.type !== 'checkbox';
    window.clearTimeout(waiting);
    if (isTyped) waiting = window.setTimeout(update, PAUSE);
    else update();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const say = (text: string) => {
      status.textContent = text;
    };
    navigator.clipboard.writeText(code.textContent).then(
      () => {
        say(texts[language()].copied);
      },
      () => {
        say(texts[language()].notCopied);
      },
    );
  });
  update();
}

export function writeSnippets(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-preview]')) {
    whenNear(form, () => {
      writeSnippet(form);
    });
  }
}
