/** An error that the user can fix: only its message is printed, without a stack. */
export class Problem extends Error {
  name = 'Problem';
}

const oldestNode = 20;

/** Runs the body of an entry script; an error becomes a message and exit code 1. */
export async function main(body) {
  try {
    if (Number.parseInt(process.versions.node, 10) < oldestNode) {
      throw new Problem(`Node.js ${oldestNode} or later is needed, got ${process.versions.node}.`);
    }
    // The reader of a pipe may close it early, as `head` does.
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
