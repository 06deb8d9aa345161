import 'pretendard/dist/web/variable/pretendardvariable-dynamic-subset.css';
import '@fontsource/jetbrains-mono/latin-400.css';
import 'multihead-attention/elements';

type Language = 'ko' | 'en';

const texts = {
  ko: {
    title: '멀티헤드 어텐션, 헤드마다 들여다보기',
    description:
      '한 문장을 네 개의 헤드가 어떻게 보는지, 브라우저에서 바로 계산한 숫자로 보여 주는 멀티헤드 어텐션 안내서.',
    copied: '복사했어요.',
    notCopied: '복사하지 못했어요. 코드를 직접 선택해 주세요.',
  },
  en: {
    title: 'Multi-head attention, head by head',
    description:
      'What four heads make of one sentence, in numbers computed in your browser: a guide to multi-head attention.',
    copied: 'Copied.',
    notCopied: 'Copying failed. Please select the code by hand.',
  },
};

const root = document.documentElement;
const language = (): Language => (root.lang === 'en' ? 'en' : 'ko');

function showLanguage(): void {
  const { title, description } = texts[language()];
  document.title = title;
  document.querySelector('meta[name=description]')?.setAttribute('content', description);
  for (const link of document.querySelectorAll('nav a')) {
    if (link.getAttribute('hreflang') === root.lang) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

for (const link of document.querySelectorAll<HTMLAnchorElement>('nav a')) {
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    root.lang = link.hreflang;
    const url = new URL(location.href);
    url.searchParams.set('lang', link.hreflang);
    history.replaceState(null, '', url);
    showLanguage();
  });
}
showLanguage();

/** A button of the prose that puts something into a figure: one attribute of the button, one of the figure. */
function drive(
  name: 'token' | 'sentence' | 'document',
  figure: string,
  also: () => void = () => undefined,
): void {
  for (const button of document.querySelectorAll<HTMLElement>(`[data-${name}]`)) {
    button.addEventListener('click', () => {
      also();
      document.getElementById(figure)?.setAttribute(name, button.dataset[name] ?? '');
    });
  }
}

drive('token', 'cat');
drive('sentence', 'korean');
drive('document', 'korean', () => {
  document.getElementById('korean')?.removeAttribute('sentence');
});

document.getElementById('copy')?.addEventListener('click', () => {
  const status = document.querySelector('.copied');
  const snippet = document.getElementById('snippet')?.textContent ?? '';
  const say = (text: string) => {
    if (status) status.textContent = text;
  };
  navigator.clipboard.writeText(snippet).then(
    () => {
      say(texts[language()].copied);
    },
    () => {
      say(texts[language()].notCopied);
    },
  );
});
