/** What a reader has answered, by part; a part without an answer is left out. */
export type Answers = Readonly<Record<string, string>>;

const BETWEEN = '_';
const OF = '-';

/** `d-7_q-n.k` → { d: '7', q: 'n.k' }. What is not of this form is left out. */
export function parseAnswers(text: string | null): Answers {
  const pairs = (text ?? '').split(BETWEEN).flatMap((part): [string, string][] => {
    const at = part.indexOf(OF);
    return at > 0 ? [[part.slice(0, at), decoded(part.slice(at + 1))]] : [];
  });
  return Object.fromEntries(pairs);
}

/** The same the other way round; null for no answer at all. Needs no escapes in an address, save for odd inputs. */
export function answersText(answers: Answers): string | null {
  const parts = Object.entries(answers)
    .filter(([, value]) => value !== '')
    .map(([id, value]) => id + OF + encodeURIComponent(value).replaceAll(BETWEEN, '%5F'));
  return parts.length > 0 ? parts.join(BETWEEN) : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
