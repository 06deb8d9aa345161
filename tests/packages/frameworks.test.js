import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { build, built, consumerTests, HASHED, shows } from './consumer-tests.js';
import { differenceOf } from './page.js';

async function rendered(project) {
  await build(project);
  const server = await project.serve('start', ['--port', '0']);
  try {
    const html = await (await fetch(server.url)).text();
    const [, weights] = /<output id="weights">([^<]*)</.exec(html);
    const onServer = differenceOf(JSON.parse(weights));
    project.checks.add('server');
    return Math.max(
      onServer,
      await shows(project, server.url, { binary: HASHED, pages: true, selects: true }),
    );
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
      const computed = differenceOf(await (await fetch(`${server.url}/weights`)).json());
      project.checks.add('server');
      return Math.max(computed, await shows(project, server.url, { binary: HASHED, selects: true }));
    } finally {
      await server.close();
    }
  } finally {
    await uploaded.remove();
  }
}

consumerTests({
  next: {
    order: 14,
    name: { en: 'Next.js, rendered on the server', ko: 'Next.js, 서버 렌더링' },
    version: 'next',
    parts: ['next'],
    use: rendered,
  },
  'next-standalone': {
    order: 15,
    name: { en: 'Next.js, `output: standalone`', ko: 'Next.js, `output: standalone`' },
    version: 'next',
    parts: ['next', 'next-standalone'],
    use: uploadedNext,
  },
  react: {
    order: 10,
    name: 'React',
    version: 'react',
    parts: ['react'],
    async use(project) {
      const difference = await built({ binary: HASHED, pages: true, selects: true }, '--base', './')(project);
      project.checks.add('types');
      return difference;
    },
  },
  vue: {
    order: 11,
    name: 'Vue',
    version: 'vue',
    parts: ['vue'],
    use: built({ binary: HASHED, pages: true, selects: true }, '--base', './'),
  },
  svelte: {
    order: 12,
    name: 'Svelte',
    version: 'svelte',
    parts: ['svelte'],
    use: built({ binary: HASHED, pages: true, selects: true }, '--base', './'),
  },
  mdx: {
    order: 13,
    name: 'MDX (React)',
    version: '@mdx-js/rollup',
    parts: ['mdx'],
    use: built({ binary: HASHED, pages: true }, '--base', './'),
  },
});
