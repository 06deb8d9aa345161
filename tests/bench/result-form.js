/** The form of a result file, as README.md describes it. */

const text = (value) => typeof value === 'string' && value !== '';
const count = (value) => Number.isInteger(value) && value > 0;
const amount = (value) => Number.isFinite(value) && value >= 0;
const oneOf =
  (...choices) =>
  (value) =>
    choices.includes(value);
const optional = (form) => (value) => value === undefined || form(value);
/** Whatever its keys. */
const every = (form) => (value) =>
  typeof value === 'object' && value !== null && Object.values(value).every(form);

const timed = { median: amount, min: amount, runs: count, error: every(amount) };
const contender = { id: text, name: text, form: optional(text), threads: count };

const contenderForms = {
  ok: { ...contender, ...timed, overhead: optional(Number.isFinite) },
  // A result may be so wrong that its error is not a number.
  wrong: { ...contender, ...timed, error: every((value) => value === null || amount(value)) },
  failed: { ...contender, message: text },
};

const resultForm = {
  environment: oneOf('node', 'chromium'),
  effort: oneOf('full', 'quick', 'smoke'),
  machine: { cpu: text, cores: count, os: text, engine: text, engineVersion: text, date: text },
  peers: every(text),
  sections: [
    {
      id: text,
      title: text,
      threads: count,
      rows: [
        {
          label: text,
          shape: every(count),
          flops: count,
          contenders: [{ status: oneOf(...Object.keys(contenderForms)) }],
        },
      ],
    },
  ],
};

/** Where `value` is not of that form: paths, the value's own at first. */
function misfits(value, form, path) {
  if (typeof form === 'function') return form(value) ? [] : [path];
  if (Array.isArray(form)) {
    if (!Array.isArray(value) || value.length === 0) return [path];
    return value.flatMap((entry, i) => misfits(entry, form[0], `${path}[${i}]`));
  }
  return Object.entries(form).flatMap(([key, part]) => misfits(value?.[key], part, `${path}.${key}`));
}

/** Throws where a result, as JSON keeps it, is not of the form. */
export function checkForm(result) {
  const wrong = misfits(result, resultForm, 'result');
  const contenders = (result.sections ?? []).flatMap(({ rows }) => rows).flatMap((row) => row.contenders);
  const odd = contenders.flatMap((one) => misfits(one, contenderForms[one.status], one.id));
  if (wrong.length + odd.length > 0) {
    throw new Error(`a result of this form was expected, it differs in ${[...wrong, ...odd].join(', ')}`);
  }
}
