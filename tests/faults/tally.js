import assert from 'node:assert/strict';

/** Before a release every repetition and every random round is run, else some of them. */
export const isFull = Boolean(process.env.MHA_FULL);

/** Failures that are listed; the others are only counted. */
const TOLD = 10;

/** Counts how often a fault was tried and survived. */
export class Tally {
  #tried = 0;
  #survived = 0;
  #told = [];

  /** Tries a fault once: it is survived when `work` ends without an error. */
  async attempt(what, work) {
    ++this.#tried;
    try {
      await work();
      ++this.#survived;
    } catch (error) {
      if (this.#told.length < TOLD) {
        this.#told.push(`${what}: ${error?.stack ?? error}`);
        // Immediately, too: a waiting test may take long to time out.
        console.error(`✗ ${what}`);
      }
    }
  }

  /** Fails where one attempt was not survived. The last line of a test. */
  finish() {
    assert.ok(this.#tried > 0, 'nothing was tried');
    const lost = this.#tried - this.#survived;
    assert.equal(lost, 0, `${lost} of ${this.#tried} were not survived:\n${this.#told.join('\n')}`);
  }
}
