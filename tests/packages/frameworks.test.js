import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cp, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { build, built, consumerTests, HASH, HASHED, hosts, PLAIN, shows } from './consumer-tests.js';
import { assertNumPys } from './page.js';

async function rendered(project) {
  await build(project);
  const server = await project.serve('start', ['--port', '0']);
  try {
    const html = await (await fetch(server.url)).text();
    const [, weights] = /<output id="weights">([^<]*)</.exec(html);
    assertNumPys(JSON.parse(weights));
    await shows(project, server.url, {
      ...{ binary: HASHED, pages: true, selects: true, others: ['/second', '/third'] },
    });
  } finally {
    await server.close();
  }
}

async function developed(project) {
  const server = await project.serve('dev', ['--port', '0']);
  try {
    const page = { binary: HASHED, selects: true, learns: false, others: ['/second', '/third'] };
    await shows(project, server.url, page);
  } finally {
    await server.close();
  }
}

const freePort = async () => {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
};

/** The folder that Next makes of `output: 'standalone'`, moved away from the project, and the page's scripts. */
async function uploadedNext(project) {
  await build(project);
  const uploaded = await project.uploaded(['.'], '.next/standalone');
  try {
    await cp(path.join(project.folder, '.next/static'), path.join(uploaded.folder, '.next/static'), {
      recursive: true,
    });
    const server = await uploaded.serve('standalone', [], { PORT: await freePort(), HOSTNAME: 'localhost' });
    try {
      assertNumPys(await (await fetch(`${server.url}/weights`)).json());
      await shows(project, server.url, { binary: HASHED, selects: true });
    } finally {
      await server.close();
    }
  } finally {
    await uploaded.remove();
  }
}

/** A site of three pages, built for a path: its pages are opened one by one, and gone through. */
const site =
  (folder, page, ...args) =>
  async (project) => {
    await build(project, ...args);
    return hosts(project, folder, { ...page, pages: true });
  };

/** Its server computes; a reader downloads what the page uses, and nothing beforehand. */
async function servedByNuxt(project) {
  await build(project);
  const server = await project.serve('start', [], { PORT: await freePort(), HOST: 'localhost' });
  try {
    const html = await (await fetch(server.url)).text();
    const [, weights] = /<output id="weights">([^<]*)</.exec(html);
    assertNumPys(JSON.parse(weights));
    assert.doesNotMatch(html, /rel="prefetch"/);
    await shows(project, server.url, {
      ...{ binary: HASHED, pages: true, selects: true, others: ['/second', '/third'] },
    });
  } finally {
    await server.close();
  }
}

async function builtByReactRouter(project) {
  await build(project);
  const page = { binary: HASHED, pages: true, selects: true, others: ['second/', 'third/'] };
  await hosts(project, 'build/client', page, { base: '' });
}

/** Angular's bundler moves no binaries: the page says where their copy is. The host answers with it for each address. */
async function builtByAngular(project) {
  await build(project, '--base-href', '/below/a/path/');
  const html = await readFile(path.join(project.folder, 'dist', 'index.html'), 'utf8');
  await hosts(
    project,
    'dist',
    { binary: PLAIN, pages: true, selects: true, others: ['second', 'third'] },
    { pages: { '/second': html, '/third': html } },
  );
}

/** Its own bundler warns of nothing. */
async function builtByDocusaurus(project) {
  const { stdout, stderr } = await project.npm('run', 'build');
  assert.doesNotMatch(stdout + stderr, /warn/i);
  await hosts(project, 'build', { binary: HASH, pages: true, others: ['second/', 'third/'] });
}

consumerTests({
  'Next.js, rendered on the server': {
    parts: ['next'],
    use: rendered,
  },
  'Next.js, `output: standalone`': {
    parts: ['next', 'next-standalone'],
    use: uploadedNext,
    beforeRelease: true,
  },
  'Next.js, development server': {
    parts: ['next'],
    use: developed,
    beforeRelease: true,
  },
  'Next.js 15, rendered on the server': {
    parts: ['next', 'next-15'],
    use: rendered,
    beforeRelease: true,
  },
  React: {
    parts: ['react'],
    use: built({ binary: HASHED, pages: true, selects: true }, '--base', './'),
  },
  Vue: {
    parts: ['vue'],
    use: built({ binary: HASHED, pages: true, selects: true }, '--base', './'),
  },
  Svelte: {
    parts: ['svelte'],
    use: built({ binary: HASHED, pages: true, selects: true }, '--base', './'),
  },
  'MDX (React)': {
    parts: ['mdx'],
    use: built({ binary: HASHED, pages: true }, '--base', './'),
    beforeRelease: true,
  },
  Nuxt: { parts: ['nuxt'], use: servedByNuxt, beforeRelease: true },
  SvelteKit: {
    parts: ['sveltekit'],
    use: site('build', { binary: HASHED, selects: true, others: ['second/', 'third/'] }),
  },
  'React Router': { parts: ['react-router'], use: builtByReactRouter },
  'React Router 7': {
    parts: ['react-router', 'react-router-7'],
    use: builtByReactRouter,
    beforeRelease: true,
  },
  Astro: { parts: ['astro'], use: site('dist', { binary: HASHED, others: ['second/', 'third/'] }) },
  'Starlight (Astro)': {
    parts: ['starlight'],
    use: site('dist', { binary: HASHED, others: ['second/', 'third/'] }),
    beforeRelease: true,
  },
  VitePress: {
    parts: ['vitepress'],
    use: site(
      '.vitepress/dist',
      { binary: HASHED, others: ['second.html', 'third.html'] },
      ...['--base', '/below/a/path/'],
    ),
  },
  Angular: { parts: ['angular'], use: builtByAngular, beforeRelease: true },
  Docusaurus: { parts: ['docusaurus'], use: builtByDocusaurus, beforeRelease: true },
});
