/** One row: creates its contenders, checks them, keeps the fastest form of each and times them side by side. */
import { attentionInput, layerInput, layerParameters } from './data.js';
import { effort, sideBySide } from './measure.js';
import { contenders } from './plan.js';
import { pretrainedTasks } from './pretrained/tasks.js';
import { attentionError, attentionReference, layerError, layerReference } from './reference.js';

/** What float32 sums in any order stay far below: contenders reach 1e-6. */
const TOLERANCE = 1e-4;
/** A form whose first run took longer than this, in ms, and three times as long as another's is not timed further. */
const LONG = 1000;

/** What a row is about: the input, what else contenders are made of, and a result's distance from float64. */
const tasks = {
  layer(shape) {
    const parameters = layerParameters(shape);
    const input = layerInput(shape);
    const expected = layerReference(shape, parameters, input);
    return { input, parameters, errorOf: (result) => layerError(shape, result, expected) };
  },
  attention(shape) {
    const input = attentionInput(shape);
    return {
      input,
      errorOf: (result, mask) => attentionError(shape, result, attentionReference(shape, input, mask)),
    };
  },
  ...pretrainedTasks,
};

/** An error's words, without the folders of the machine on which the library was built. */
const saying = (error) =>
  String(error?.message ?? error)
    .replaceAll(/\S*\//g, '')
    .trim()
    .slice(0, 300);

/** One form of a contender, run once and compared with float64. */
async function create(
  library,
  { task, shape },
  { input, parameters, errorOf },
  { form, threads, options, tolerance },
) {
  let made;
  try {
    made = await library[task]({ shape, parameters, form, threads, options });
    const started = performance.now();
    const result = await made.run(input);
    const firstRun = performance.now() - started;
    const error = errorOf(result, options.mask);
    const status = Object.values(error).every((distance) => distance <= tolerance) ? 'ok' : 'wrong';
    return { ...made, form, run: () => made.run(input), firstRun, error, status };
  } catch (error) {
    made?.dispose();
    return { form, threads, status: 'failed', message: saying(error) };
  }
}

/** The fastest of those that are right; where none is, the first. */
async function best(made) {
  const right = made.filter(({ status }) => status === 'ok');
  if (right.length === 0) return made[0];
  const quickest = Math.min(...right.map(({ firstRun }) => firstRun));
  const hopeful = right.filter(({ firstRun }) => firstRun < LONG || firstRun < 3 * quickest);
  if (hopeful.length === 1) return hopeful[0];
  const times = await sideBySide(
    hopeful.map(({ run }) => run),
    effort.quick,
  );
  const mins = times.map(({ min }) => min);
  return hopeful[mins.indexOf(Math.min(...mins))];
}

/** A contender, ready to be timed. */
async function prepare(id, row, task, threads) {
  const { name, module, options = {}, tolerance = TOLERANCE } = contenders[id];
  const library = await import(`./peers/${module}.js`);
  const forms = library.forms?.[row.task] ?? [undefined];
  const made = [];
  for (const form of forms)
    made.push(await create(library, row, task, { form, threads, options, tolerance }));
  const chosen = await best(made);
  for (const other of made) if (other !== chosen) other.dispose?.();
  const rejected = made.filter((other) => other !== chosen && other.status !== 'ok');
  return { id, name, ...chosen, rejected };
}

/** What the result file holds of a contender. */
const published = ({ id, name, form, threads, error, status, message, rejected }, times) => ({
  id,
  name,
  form,
  threads,
  ...times,
  error,
  status,
  message,
  rejected: rejected.map(({ form, status, message }) => ({ form, status, message })),
});

/**
 * @param row of `plan`
 * @param how the name of an `effort`
 * @returns the row's contenders as the result file holds them
 */
export default async function measureRow({ row, threads, how }) {
  const task = await tasks[row.task](row.shape);
  const ready = [];
  for (const id of row.contenders) ready.push(await prepare(id, row, task, threads));
  const running = ready.filter(({ run }) => run);
  const times = await sideBySide(
    running.map(({ run }) => run),
    effort[how],
  );
  return ready.map((contender) => published(contender, times[running.indexOf(contender)]));
}
