/** The reader's answers by question id; unanswered questions are left out. */
export type Answers = Readonly<Record<string, string>>;

const SEPARATOR = '_';
const ASSIGN = '-';

/** `d-7_q-n.k` → { d: '7', q: 'n.k' }. Invalid entries are left out. */
export function parseAnswers(text: string | null): Answers {
  const pairs = (text ?? '').split(SEPARATOR).flatMap((part): [string, string][] => {
    const at = part.indexOf(ASSIGN);
    return at > 0 ? [[part.slice(0, at), decoded(part.slice(at + 1))]] : [];
  });
  return Object.fromEntries(pairs);
}

/** The inverse of `parseAnswers`; null without answers. Separators are characters that a URL need not escape. */
export function answersText(answers: Answers): string | null {
  const parts = Object.entries(answers)
    .filter(([, value]) => value !== '')
    .map(([id, value]) => id + ASSIGN + encodeURIComponent(value).replaceAll(SEPARATOR, '%5F'));
  return parts.length > 0 ? parts.join(SEPARATOR) : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
