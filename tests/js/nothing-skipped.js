/** Jest's reporter that fails a run with skipped tests: a skipped test proves nothing. Filters by name skip on purpose. */
export default class NothingSkipped {
  #skipped = 0;
  #filter;

  constructor({ testNamePattern }) {
    this.#filter = testNamePattern;
  }

  onRunComplete(_, { numPendingTests, numTodoTests }) {
    this.#skipped = this.#filter ? 0 : numPendingTests + numTodoTests;
  }

  getLastError() {
    return this.#skipped > 0 ? new Error(`${this.#skipped} tests were skipped.`) : undefined;
  }
}
