const SAID = {
  ko: { done: '복사했어요.', failed: '복사하지 못했어요. 주소창의 주소를 복사하세요.' },
  en: { done: 'Copied.', failed: 'It could not be copied: copy the address of this page.' },
};

/** The address has the state of every figure: the button copies it, or hands it to a phone's list of apps. */
export function shareLinks(): void {
  const place = document.querySelector('.share');
  const status = place?.querySelector('[role=status]');
  place?.querySelector('button')?.addEventListener('click', () => {
    const words = document.documentElement.lang === 'ko' ? SAID.ko : SAID.en;
    const say = (text: string) => status?.replaceChildren(text);
    if (matchMedia('(pointer: coarse)').matches && 'share' in navigator) {
      // The reader may close the list.
      navigator.share({ title: document.title, url: location.href }).catch(() => undefined);
      return;
    }
    navigator.clipboard.writeText(location.href).then(
      () => {
        say(words.done);
      },
      () => {
        say(words.failed);
      },
    );
  });
}
