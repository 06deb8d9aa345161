import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openTab, serving, test } from './fixtures.js';
import { dist } from './support.js';

const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>properties</title>
  <link rel="icon" href="data:,"><script type="module" src="standalone.js"></script><main></main>`;

const server = serving(dist, { pages: { '/': html, '/2': '' } });

const { modules } = JSON.parse(readFileSync(path.join(dist, 'custom-elements.json'), 'utf8'));

/** All properties of all elements whose type is `kind`: `{ tag, name, attribute, initial }`. */
const propertiesOf = (kind) =>
  modules
    .flatMap(({ declarations }) => declarations)
    .filter(({ tagName }) => tagName)
    .flatMap(({ tagName: tag, members }) =>
      members
        .filter((member) => member.type && new RegExp(`\\b${kind}\\b`).test(member.type.text))
        .filter((member) => member.kind === 'field')
        .map(({ name, attribute, default: code }) => {
          return { tag, name, attribute, initial: JSON.parse(code.replaceAll("'", '"')) };
        }),
    );

/** The value after setting `values` one after the other, as a property and, if there is one, as the attribute. */
const given = (page, { tag, name, attribute }, values) =>
  page.evaluate(
    async ({ tag, name, attribute, values }) => {
      const found = {};
      for (const way of attribute ? ['property', 'attribute'] : ['property']) {
        const element = document.querySelector('main').appendChild(document.createElement(tag));
        for (const value of values) {
          if (way === 'property') element[name] = value;
          else if (value === null || value === undefined) element.removeAttribute(attribute);
          else element.setAttribute(attribute, value);
          await element.updateComplete;
        }
        const { [name]: now, state } = element;
        found[way] = { now, state, written: element.getAttribute(attribute) };
        element.remove();
      }
      return found;
    },
    { tag, name, attribute, values },
  );

/** Gives every property each of the `cases` `[values, expected]`, in an element of its own. */
async function take(kind, cases) {
  const properties = propertiesOf(kind);
  assert.ok(properties.length > 15);
  const { page, errors, close } = await openTab(`${server.url}/`);
  await page.waitForFunction(() => customElements.get('mha-training'));
  for (const property of properties) {
    for (const [values, expected] of cases(property)) {
      const { property: set, attribute: parsed } = await given(page, property, values);
      const said = `<${property.tag}> ${property.name} ${JSON.stringify(values)}`;
      assert.deepEqual(set.now, expected, said);
      if (!parsed) continue;
      assert.deepEqual(parsed.now, expected, `${said} as an attribute`);
      assert.deepEqual(set.state, parsed.state, `${said}: state`);
      // Any other spelling of a value stays in the attribute as it was written.
      const usual = typeof expected === 'boolean' ? (expected ? '' : null) : String(expected);
      if (values.at(-1) === usual) assert.equal(set.written, usual, said);
    }
  }
  assert.deepEqual(errors, []);
  await close();
}

/** Numbers that may have a fraction. */
const REAL = ['mass'];

test('every number takes the text that its attribute takes, and keeps the last of its range', () =>
  take('number', ({ name, initial }) => [
    [['1'], 1],
    [['1', ' 0.5 '], REAL.includes(name) ? 0.5 : 1],
    [['1', 'two'], 1],
    [['1', NaN], 1],
    [['1', -1], 1],
    [['1', 2 ** 53], 1],
    [['1', ''], initial],
    [['1', null], initial],
    [['1', undefined], initial],
    [['0.5', 1], 1],
  ]));

test('every boolean takes the text that its attribute takes', () =>
  take('boolean', ({ name }) => [
    [[''], true],
    [['true'], true],
    [[name], true],
    [['', 'false'], false],
    [['', null], false],
    [['', undefined], false],
    [[true, false], false],
  ]));

test('every text takes a number, and its default for what is taken back', () =>
  take('string', ({ initial }) => [
    [[2], '2'],
    [[2, null], initial],
    [[2, undefined], initial],
  ]));
