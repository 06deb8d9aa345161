/** Jest's reporter that fails a run with skipped tests: what did not run shows nothing. A filter by name skips on purpose. */
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
