/** Links between the Markdown files lead to files, and to headings, that are there. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const top = new URL('../../', import.meta.url);
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: fileURLToPath(top),
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  // What authors copy leads to what is on their sites.
  .filter(
    (name) => !/^(tests\/hosts\/sites|web\/embed\/markdown)\//.test(name) && existsSync(new URL(name, top)),
  );

const withoutCode = (text) => text.replaceAll(/^(`{3,}).*?^\1$/gms, '').replaceAll(/`[^`\n]*`/g, 'code');

/** The anchors of a file's headings, as GitHub makes them. */
const anchorsOf = (text) =>
  Array.from(text.replaceAll(/^(`{3,}).*?^\1$/gms, '').matchAll(/^#+ (.*)$/gm), ([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(files)('%s', (name) => {
  const here = new URL(name, top);
  const text = withoutCode(readFileSync(here, 'utf8'));
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/(?:src|srcset)="([^"]+)"/g)];
  const broken = links
    .map(([, link]) => link)
    .filter((link) => !/^(https?|mailto|data):/.test(link))
    .filter((link) => {
      const target = new URL(link, here);
      const anchor = decodeURIComponent(target.hash.slice(1));
      target.hash = '';
      if (!existsSync(target)) return true;
      return anchor !== '' && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
    });
  expect(broken).toEqual([]);
});
