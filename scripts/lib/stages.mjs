import { Problem } from './problem.mjs';
import { seconds } from './progress.mjs';

/** Runs test stages one after the other and keeps their counts; a stage that cannot run counts as a failure. */
export class Stages {
  #results = [];

  /**
   * `work` resolves to `{ passed, failed }`, or to nothing where there is nothing to count.
   * Resolves to whether the stage ran and nothing in it failed.
   */
  async run(name, work) {
    console.log(`\n━━ ${name}`);
    const started = performance.now();
    let counts;
    try {
      counts = (await work()) ?? { passed: 0, failed: 0, note: 'done' };
      if (!counts.note && counts.passed + counts.failed === 0) throw new Problem('No test was found.');
    } catch (error) {
      console.error(`✗ ${error instanceof Problem ? error.message : error.stack}`);
      counts = { passed: 0, failed: 1, note: 'failed' };
    }
    this.#results.push({ name, time: performance.now() - started, ...counts });
    return counts.failed === 0;
  }

  /** Prints the table and, as the very last line, the totals; resolves to whether all is well. */
  report() {
    const width = Math.max(...this.#results.map(({ name }) => name.length));
    console.log('\n━━ Summary');
    for (const { name, passed, failed, time, note } of this.#results) {
      const counts = note ?? `${passed} passed, ${failed} failed`;
      console.log(`${failed ? '✗' : '✓'} ${name.padEnd(width)}  ${counts}  (${seconds(time)})`);
    }
    const total = (key) => this.#results.reduce((sum, result) => sum + result[key], 0);
    console.log(`\n${total('passed')} passed, ${total('failed')} failed`);
    return total('failed') === 0;
  }
}
