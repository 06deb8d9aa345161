/** docs/works.md shows exactly the results of the last release check. */
import { readFileSync } from 'node:fs';
import { worksReport, worksTables } from '../works/report.js';

test.each(Object.entries(await worksReport()))('%s shows the committed results', (file, text) => {
  expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).toBe(text);
});

test('a failed fault test is shown', () => {
  const row = {
    id: 'a',
    order: 1,
    name: { en: 'cut | off', ko: '잘림' },
    where: 'Node',
    tried: 1200,
    survived: 1199,
  };
  const none = { consumers: [], hosts: [], engines: [], fuzz: [] };
  expect(worksTables({ ...none, faults: [row] }, 'en')).toContain('| cut \\| off | Node | 1,200 | 1,199 |');
  expect(worksTables({ ...none, faults: [row] }, 'ko')).toContain('1,200번 시도해 1,199번 통과했어요');
});
