import { language, texts } from './language.js';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function fieldOf(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** The attributes of the figure, in the order in which they are written. */
function attributesOf(form: HTMLFormElement): Map<string, string> {
  const text = (name: string) => fieldOf(form, name);
  const source = text('sentence') === '' ? 'document' : 'sentence';
  const attributes = ['lang', 'model', source, 'heads', 'controls', 'caption'];
  return new Map(
    attributes.map((name): [string, string] => [name, text(name)]).filter(([, value]) => value !== ''),
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

/** Makes a form write the HTML of a figure, preview the figure, and copy the HTML. */
function writeSnippet(form: HTMLFormElement): void {
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
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-preview]')) writeSnippet(form);
}
