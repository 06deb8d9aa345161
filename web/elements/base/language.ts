import type { ReactiveController, ReactiveElement } from 'lit';

export type Language = 'ko' | 'en';

/** Language by the nearest `lang` attribute of the element or its ancestors, also outside its shadow root. */
export function languageOf(element: Element): Language {
  for (
    let node: Node | null = element;
    node;
    node = node instanceof ShadowRoot ? node.host : node.parentNode
  ) {
    const lang = node instanceof Element ? node.getAttribute('lang') : null;
    if (lang) return lang.toLowerCase().startsWith('ko') ? 'ko' : 'en';
  }
  return 'en';
}

/** Detects a text's language for its `lang` attribute, by which screen readers choose a voice. */
export function languageOfText(text: string): Language | undefined {
  if (/\p{Script=Hangul}/u.test(text)) return 'ko';
  return /\p{Script=Latin}/u.test(text) ? 'en' : undefined;
}

/** Matches right-to-left scripts and invisible characters that change the text direction. */
const BIDIRECTIONAL =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\p{Bidi_Control}]/u;

/** Wraps a right-to-left word in Unicode isolates, so that the sentence around it keeps its direction. */
export const isolated = (word: string): string =>
  BIDIRECTIONAL.test(word) ? `\u2068${word.replace(/\p{Bidi_Control}/gu, '')}\u2069` : word;

/** Longest foreign text that a message shows, in characters: about two lines of an address, four of a message. */
const LONGEST = 240;

/** Cuts foreign text and isolates it, so that its writing direction affects no text around it. */
export const quoted = (text: string): string =>
  isolated(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

const hosts = new Set<ReactiveElement>();
let observer: MutationObserver | undefined;

/** Updates its host when a `lang` attribute of the page changes. One observer serves all hosts. */
export class LanguageController implements ReactiveController {
  constructor(private readonly host: ReactiveElement) {
    host.addController(this);
  }

  hostConnected(): void {
    observer ??= new MutationObserver(() => {
      for (const host of hosts) host.requestUpdate();
    });
    if (hosts.size === 0) {
      observer.observe(document.documentElement, {
        attributes: true,
        attributeFilter: ['lang'],
        subtree: true,
      });
    }
    hosts.add(this.host);
  }

  hostDisconnected(): void {
    hosts.delete(this.host);
    if (hosts.size === 0) observer?.disconnect();
  }
}
