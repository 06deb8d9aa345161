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
  const attributes = new Map<string, string>();
  if (text('lang') !== '') attributes.set('lang', text('lang'));
  if (text('sentence') === '') {
    attributes.set('document', text('document'));
  } else {
    attributes.set('sentence', text('sentence'));
    attributes.set('heads', text('heads'));
  }
  return attributes;
}

/** Makes a form write the HTML of a figure, preview the figure, and copy the HTML. */
function writeSnippet(form: HTMLFormElement): void {
  const code = form.querySelector('code');
  const status = form.querySelector('[role=status]');
  const preview = document.getElementById(form.dataset.preview ?? '');
  const heads = form.querySelector<HTMLSelectElement>('[name=heads]');
  if (!code || !status || !preview || !heads) return;

  const update = () => {
    // A disabled field has no value; examples have their own number of heads.
    heads.disabled = fieldOf(form, 'sentence') === '';
    const tag = fieldOf(form, 'element');
    const attributes = attributesOf(form);
    const written = [...attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
    code.textContent = `<script type="module" src="standalone.js"></script>\n<${tag}${written}></${tag}>`;

    const figure = document.createElement(tag);
    for (const [name, value] of attributes) figure.setAttribute(name, value);
    preview.replaceChildren(figure);
  };

  form.addEventListener('change', update);
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
