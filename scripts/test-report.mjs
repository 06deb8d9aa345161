/** Reads the JUnit reports of all runners: Node's, Jest's, Playwright's and GoogleTest's. */
import { existsSync, readFileSync } from 'node:fs';
import { XMLParser } from 'fast-xml-parser';

// alwaysCreateTextNode: elements without children become objects, too.
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  alwaysCreateTextNode: true,
});

/** Playwright's message is the place, Node's and Jest's the error: the line that names an error says most. */
function reasonOf(result) {
  const lines =
    typeof result === 'string' ? [result] : `${result.message ?? ''}\n${result['#text']}`.split('\n');
  return (lines.find((line) => /Error\b/.test(line)) ?? lines[0]).trim().slice(0, 300);
}

/** A test that passed when it was run again has passed; a skipped one has not. */
function readTest(testcase, groups) {
  const isSkipped = testcase.skipped !== undefined || ['disabled', 'notrun'].includes(testcase.status);
  const error = testcase.failure ?? testcase.error;
  const isFailed = error !== undefined || testcase.status === 'fail';
  const flaky = testcase.flakyFailure;
  return {
    groups,
    name: testcase.name,
    label: `${testcase.classname} ${testcase.name}`,
    outcome: isSkipped ? 'skipped' : isFailed ? 'failed' : flaky ? 'failed, then passed' : 'passed',
    hasPassed: !isSkipped && !isFailed,
    reason: reasonOf([error ?? flaky ?? testcase.skipped ?? ''].flat()[0]),
  };
}

/** The tests of a report in their order; `groups` are the names of the suites around each, the outermost first. */
export function readReport(file) {
  const visit = (node, groups) =>
    Object.entries(node).flatMap(([kind, value]) =>
      [value]
        .flat()
        .filter((element) => typeof element === 'object')
        .flatMap((element) =>
          kind === 'testcase'
            ? [readTest(element, groups)]
            : visit(element, kind === 'testsuite' ? [...groups, element.name] : groups),
        ),
    );
  return visit(parser.parse(readFileSync(file)), []);
}

const nameOf = ({ groups, name }) => [...groups, name].join('\n');

/** The tests of a report; those that failed and then passed in the report of a second run, if there is one, have passed. */
export function readReports(file, second) {
  const passed = new Set(
    (existsSync(second) ? readReport(second) : []).filter(({ hasPassed }) => hasPassed).map(nameOf),
  );
  return readReport(file).map((test) =>
    test.outcome === 'failed' && passed.has(nameOf(test))
      ? { ...test, outcome: 'failed, then passed', hasPassed: true }
      : test,
  );
}
