/** Something that the person at the keyboard can act on: its message is the whole story, no stack is shown. */
export class Problem extends Error {
  name = 'Problem';
}

const oldestNode = 20;

/** Runs the body of an entry script and turns what it throws into a message and a non-zero exit code. */
export async function main(body) {
  try {
    if (Number.parseInt(process.versions.node, 10) < oldestNode) {
      throw new Problem(`Node.js ${oldestNode} or later is needed, got ${process.versions.node}.`);
    }
    // Whoever reads the output may have enough of it, as `head` has.
    process.stdout.on('error', (error) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit();
    });
    await body();
  } catch (error) {
    console.error(`\n✗ ${error instanceof Problem ? error.message : error.stack}`);
    process.exitCode = 1;
  }
}
