/** Tutorials built by generators of static sites and by renderers of Markdown, in a folder of their host. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { execa } from 'execa';
import markdownIt from 'markdown-it';
import { marked } from 'marked';
import { launch } from '../browser/chromium.js';
import { serve } from '../browser/server.js';
import { axeFindings, drawn, eventually, repo } from '../browser/support.js';
import { isNumPysPage, drawAll, instructionsFor, siteOf, visit } from './hosts.js';

const BASE = '/attention';

/** Builds with a program and resolves to the folder that a host serves. */
async function hugo(folder) {
  await execa('hugo', [
    '--source',
    folder,
    '--destination',
    path.join(folder, 'built'),
    '--baseURL',
    `https://example.org${BASE}/`,
  ]);
  return path.join(folder, 'built');
}

async function jekyll(folder) {
  const built = path.join(folder, '_site');
  await execa('jekyll', [
    'build',
    '--disable-disk-cache',
    '--source',
    folder,
    '--destination',
    built,
    '--baseurl',
    BASE,
  ]);
  return built;
}

async function eleventy(folder) {
  const local = { preferLocal: true, localDir: path.join(repo, 'tests', 'hosts') };
  await execa('eleventy', ['--pathprefix', BASE], { cwd: folder, ...local });
  return path.join(folder, '_site');
}

/** A warning is an error. */
async function sphinx(folder) {
  const built = path.join(folder, '_build');
  await execa('sphinx-build', ['-W', '-b', 'html', folder, built]);
  return built;
}

async function mkdocs(folder) {
  await execa('mkdocs', ['build', '--strict'], { cwd: folder });
  return path.join(folder, 'site');
}

/** What every renderer of Markdown leaves to its user. */
const shell = (lang, content) => `<!doctype html>
<html lang="${lang}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${lang}</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="page.css"></head>
<body><main>
${content}
</main></body></html>
`;
const markdown = (render) => (folder) => {
  for (const lang of ['ko', 'en']) {
    const text = readFileSync(path.join(folder, `attention.${lang}.md`), 'utf8');
    writeFileSync(path.join(folder, `${lang}.html`), shell(lang, render(text)));
  }
  return folder;
};
const markdownPages = { ko: '/ko.html', en: '/en.html' };

const hosts = [
  {
    site: 'hugo',
    name: 'Hugo',
    build: hugo,
    pages: { ko: '/posts/attention/', en: '/en/posts/attention/', list: '/', hostile: '/en/posts/hostile/' },
  },
  {
    site: 'jekyll',
    name: 'Jekyll',
    build: jekyll,
    pages: { ko: '/attention/', en: '/en/attention/', hostile: '/hostile/', refused: '/refused/' },
  },
  {
    site: 'eleventy',
    name: 'Eleventy',
    build: eleventy,
    pages: { ko: '/attention/', en: '/en/attention/' },
  },
  {
    site: 'sphinx',
    name: 'Sphinx',
    build: sphinx,
    pages: { ko: '/attention.html', en: '/en/attention.html' },
    script: '_static/mha/standalone.js',
  },
  {
    site: 'mkdocs',
    name: 'MkDocs',
    build: mkdocs,
    pages: { ko: '/attention/', en: '/en/attention/' },
    script: 'mha/standalone.classic.js',
  },
  {
    site: 'markdown',
    name: 'markdown-it',
    build: markdown((text) => markdownIt({ html: true, linkify: true, typographer: true }).render(text)),
    pages: markdownPages,
  },
  {
    site: 'markdown',
    name: 'marked',
    build: markdown((text) => marked.parse(text)),
    pages: markdownPages,
  },
];

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

for (const { site, name, build, pages, script = 'mha/standalone.js' } of hosts) {
  describe(name, () => {
    const copy = siteOf(site);
    let built, server;
    before(async () => {
      built = await build(copy.folder);
      server = await serve(built, { base: BASE });
    });
    after(async () => {
      await server?.close();
      copy.remove();
    });

    const open = (page, options) => visit(browser, `${server.url}${BASE}${pages[page]}`, options);

    test('the site holds the lines of the documentation', () => {
      const own = path.join(repo, 'tests', 'hosts', 'sites', site);
      const files = readdirSync(own, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
      const texts = files.map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
      for (const lines of instructionsFor(site).code)
        assert.ok(
          texts.some((text) => text.includes(lines)),
          lines,
        );
    });

    test('draws all figures of a Korean and an English page, with NumPy’s weights, by one script', async () => {
      for (const lang of ['ko', 'en']) {
        const { page, errors, scripts, close } = await open(lang);
        assert.equal(await drawAll(page), lang === 'ko' ? 4 : 2);
        assert.deepEqual(scripts, [`${BASE}/${script}`]);
        await isNumPysPage(page);
        const [hint] = await page.locator('mha-explorer [part=figure]').allInnerTexts();
        assert.match(
          hint,
          lang === 'ko'
            ? /위쪽·오른쪽 호는 뒤에 나오는 단어를/
            : /Arcs up or to the right lead to later words/,
        );
        assert.deepEqual(errors, []);
        await close();
      }
    });

    for (const colorScheme of ['light', 'dark']) {
      test(`axe finds nothing in the figures, and nothing is wider than a phone (${colorScheme})`, async () => {
        const { page, close } = await open('ko', { colorScheme, viewport: { width: 360, height: 740 } });
        await drawAll(page);
        await drawn(page.locator('mha-explorer').first());
        const findings = (await axeFindings(page)).filter((finding) => finding.includes('mha-'));
        assert.deepEqual(findings, []);
        await eventually(async () =>
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360),
        );
        await close();
      });
    }

    test('a figure takes nothing of how the site sets its paragraphs', async () => {
      const { page, close } = await open('ko');
      await drawAll(page);
      // Its buttons are among the tools behind “More”.
      const explorer = page.locator('mha-explorer');
      await drawn(explorer);
      await explorer.locator('[part=tools] > summary').click();
      const button = explorer.locator('[part=tools] button').first();
      const set = await button.evaluate((own) => {
        const { textAlign, textIndent, letterSpacing, textTransform } = getComputedStyle(own);
        return {
          textIndent,
          letterSpacing,
          textTransform,
          figure: getComputedStyle(own.getRootNode().host).textAlign,
          textAlign,
        };
      });
      assert.deepEqual(set, {
        ...{ textIndent: '0px', letterSpacing: 'normal', textTransform: 'none', figure: 'start' },
        textAlign: 'center',
      });
      await close();
    });

    if (pages.list) {
      test('draws the figures of several posts on one page', async () => {
        const { page, errors, close } = await open('list');
        assert.equal(await drawAll(page), 4);
        assert.deepEqual(errors, []);
        await close();
      });
    }

    if (pages.hostile) {
      test('leaves a hostile sentence text', async () => {
        const { page, errors, close } = await open('hostile');
        await drawAll(page);
        const { tokens } = await page.locator('mha-arcs').evaluate((element) => element.toJSON());
        const sentence = `<img src=x onerror=alert(1)> "><script>alert(2)</script> 'a' &amp; b`;
        assert.deepEqual(tokens, sentence.split(' '));
        assert.equal(await page.locator('mha-arcs').textContent(), '<b>bold</b>');
        assert.deepEqual(errors, []);
        await close();
      });
    }

    if (pages.refused) {
      test(`${name} names in the page what no figure has`, () => {
        const html = readFileSync(path.join(built, pages.refused, 'index.html'), 'utf8');
        assert.match(html, /mha\.html: “onclick”\?/);
        assert.match(html, /mha\.html: “script”\?/);
        assert.doesNotMatch(html, /onclick=|<mha-/);
      });
    }
  });
}

test('Hugo refuses what no figure has, and names the line', async () => {
  const { folder, remove } = siteOf('hugo');
  const file = path.join(folder, 'content', 'posts', 'refused.ko.md');
  writeFileSync(
    file,
    `---\ntitle: x\n---\n{{< mha tag="mha-arcs" onclick="alert(1)" >}}\n{{< mha tag="script" >}}\n{{< mha "mha-arcs" >}}\n`,
  );
  const { failed, stdout, stderr } = await execa(
    'hugo',
    ['--source', folder, '--destination', path.join(folder, 'built')],
    { reject: false },
  );
  assert.ok(failed);
  const said = stdout + stderr;
  assert.match(said, /refused\.ko\.md:4:1": a figure has no attribute "onclick"/);
  assert.match(said, /refused\.ko\.md:5:1": tag must be one of mha-arcs, .*, got "script"/);
  assert.match(said, /refused\.ko\.md:6:1": mha takes parameters by name/);
  remove();
});
