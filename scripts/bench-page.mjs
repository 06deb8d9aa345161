import { ensureBrowser } from './lib/browser.mjs';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { main } from './lib/problem.mjs';
import { inRepo } from './lib/repo.mjs';

const ms = (time) => time.toFixed(1).padStart(8);

await main(async () => {
  await ensureBuilt();
  process.env.CHROME_PATH = await ensureBrowser();
  const { launch } = await import('../tests/browser/chromium.js');
  const { serve } = await import('../tests/browser/server.js');
  const { measureHover, measureVisits } = await import('../tests/bench/page.js');
  const server = await serve(inRepo('build', 'site'));
  const browser = await launch();
  const visits = await measureVisits(browser, server.url, 5);
  console.log('A fresh visit, ms from the start of the navigation (median of 5)');
  for (const [name, time] of Object.entries(visits)) console.log(`${ms(time)}  ${name}`);
  console.log('\nFrames while the pointer moves over the matrix, ms');
  console.log('   words heads first draw   median     95 %  longest');
  for (const words of [64, 512, 2048]) {
    const { heads, firstDraw, median, slow, longest } = await measureHover(browser, server.url, {
      ...{ words, heads: 4, moves: 200 },
    });
    const columns = [firstDraw, median, slow, longest].map((time) => ms(time)).join(' ');
    console.log(`${String(words).padStart(8)} ${String(heads).padStart(5)}   ${columns}`);
  }
  await browser.close();
  await server.close();
});
