/** Characters that are made before the page has its turn again. */
const TURN = 2 ** 20;

const turnOfThePage = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });

/**
 * A file of text in parts. After every million characters the page has its turn: to draw, to hear the reader, and
 * to give up by `signal`.
 *
 * @throws (rejects) what `signal` was aborted with
 */
export async function fileInTurns(parts: Iterable<string>, type: string, signal: AbortSignal): Promise<Blob> {
  const made: Blob[] = [];
  let turn: string[] = [];
  let length = 0;
  for (const part of parts) {
    turn.push(part);
    length += part.length;
    if (length < TURN) continue;
    // As a blob the text may leave the memory of the page.
    made.push(new Blob(turn));
    turn = [];
    length = 0;
    await turnOfThePage();
    signal.throwIfAborted();
  }
  return new Blob([...made, ...turn], { type });
}
