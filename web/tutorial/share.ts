import { language, texts } from './language.js';

/** Makes the header's button share the page's address, which has the place and the figures' states. */
export function shareLinks(): void {
  const button = document.querySelector<HTMLButtonElement>('.share');
  const status = document.querySelector<HTMLElement>('.shared');
  if (!button || !status) return;
  const say = (text: string) => {
    status.textContent = text;
  };
  button.addEventListener('click', () => {
    say('');
    // Phones have a sheet to share with; computers mostly a form of little use.
    if ('share' in navigator && matchMedia('(pointer: coarse)').matches) {
      // Rejected if the reader closes the sheet.
      navigator.share({ title: document.title, url: location.href }).catch(() => undefined);
      return;
    }
    navigator.clipboard.writeText(location.href).then(
      () => {
        say(texts[language()].linkCopied);
      },
      () => {
        say(texts[language()].linkNotCopied);
      },
    );
  });
  button.addEventListener('blur', () => {
    say('');
  });
}
