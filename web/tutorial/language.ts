export type Language = 'ko' | 'en';

/** Strings that scripts show; all others are in the HTML. */
export const texts = {
  ko: {
    title: '멀티헤드 어텐션, 헤드마다 들여다보기',
    description:
      '헤드마다 한 문장의 어떤 단어를 보는지, 브라우저에서 바로 계산한 숫자로 보여 주는 멀티헤드 어텐션 안내서.',
    copied: '복사했어요.',
    notCopied: '복사하지 못했어요. 코드를 직접 선택해 주세요.',
    linkCopied: '지금 그림까지 담은 링크를 복사했어요.',
    linkNotCopied: '링크를 복사하지 못했어요. 주소창의 주소를 복사해 주세요.',
    toFigure: '그림이 있는 곳으로 가기',
    closeDock: '그림 닫기',
  },
  en: {
    title: 'Multi-head attention, head by head',
    description:
      'Which words of a sentence each head looks at, in numbers computed in your browser: a guide to multi-head attention.',
    copied: 'Copied.',
    notCopied: 'Copying failed. Please select the code by hand.',
    linkCopied: 'Copied a link to the page with its figures as they are.',
    linkNotCopied: 'Copying failed. Please copy the address of the page by hand.',
    toFigure: 'Go to the figure',
    closeDock: 'Close the figure',
  },
} satisfies Record<Language, Record<string, string>>;

const root = document.documentElement;

export const language = (): Language => (root.lang === 'en' ? 'en' : 'ko');

function showLanguage(): void {
  const { title, description } = texts[language()];
  document.title = title;
  document.querySelector('meta[name=description]')?.setAttribute('content', description);
  for (const link of document.querySelectorAll('.languages a')) {
    if (link.getAttribute('hreflang') === root.lang) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

/** Switches the language without loading the page: scroll position, figures and fragment stay. */
export function switchLanguages(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a')) {
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      root.lang = link.hreflang;
      const url = new URL(location.href);
      url.searchParams.set('lang', link.hreflang);
      history.replaceState(history.state, '', url);
      showLanguage();
    });
  }
  showLanguage();
}
