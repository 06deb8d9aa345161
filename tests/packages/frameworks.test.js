import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { build, built, consumerTests, HASHED, shows } from './consumer-tests.js';
import { assertNumPys } from './page.js';

async function rendered(project) {
  await build(project);
  const server = await project.serve('start', ['--port', '0']);
  try {
    const html = await (await fetch(server.url)).text();
    const [, weights] = /<output id="weights">([^<]*)</.exec(html);
    assertNumPys(JSON.parse(weights));
    await shows(project, server.url, { binary: HASHED, pages: true, selects: true });
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

consumerTests({
  'Next.js, rendered on the server': {
    parts: ['next'],
    use: rendered,
  },
  'Next.js, `output: standalone`': {
    parts: ['next', 'next-standalone'],
    use: uploadedNext,
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
  },
});
