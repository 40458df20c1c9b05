import { setTimeout as wait } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { chromiumPath, openBrowser } from '../../../helpers/servers/browser/open-browser.ts';
import { openShopSite } from '../../../helpers/servers/browser/shop-site.ts';
import { attempt } from '../../attempt.ts';
import type { BenchRun } from '../../bench-run.ts';
import { quantile } from '../../quantile.ts';
import { mainThreadMs } from '../../widget/main-thread-ms.ts';
import { openPacedHub } from '../../widget/open-paced-hub.ts';

type Hub = Awaited<ReturnType<typeof openPacedHub>>;

const loads = 10;
const questions = 20;

/** Measures how much the widget costs the page that carries it, and how soon its words are on the screen. */
export async function widgetPart(run: BenchRun): Promise<void> {
  const began = performance.now();
  const hub = await openPacedHub();
  run.print(`widget: bundled in ${Math.round(performance.now() - began)} ms, once a process`);
  const { loader, chat, page, style } = hub.assets;
  for (const { name, body } of [loader, chat, page, style])
    run.print(
      `  ${name}: ${body.plain.length} bytes, gzip ${body.gzip.length}, brotli ${body.brotli.length}`,
    );
  run.print(
    `  loader and chat together: gzip ${loader.body.gzip.length + chat.body.gzip.length} (at most 30,000)`,
  );
  if (chromiumPath === undefined) {
    run.print('  this machine lacks Chromium: nothing else is measured');
    await hub.close();
    return;
  }
  const site = await openShopSite(hub.address);
  const browser = await openBrowser();
  try {
    await attempt(run, () => measureLoads(run, browser, site.origin));
    await attempt(run, () => measureWords(run, browser, { hub, origin: site.origin }));
  } finally {
    await browser.close();
    await Promise.all([site.close(), hub.close()]);
  }
}

async function measureLoads(run: BenchRun, browser: Browser, origin: string): Promise<void> {
  const busy: number[] = [];
  let shifts = 0;
  for (let load = 0; load < loads; load += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await browser.startTracing(page, {
      categories: ['devtools.timeline', 'v8', 'disabled-by-default-v8.compile'],
    });
    await page.goto(`${origin}/?token=pub_bench`);
    await page.locator('.launcher').waitFor();
    await wait(300);
    busy.push(mainThreadMs(await browser.stopTracing(), '/widget.js'));
    shifts += z.number().parse(await page.evaluate(shiftsSeen));
    await context.close();
  }
  const [median, most] = [quantile(busy, 0.5), Math.max(...busy)].map((ms) => ms.toFixed(1));
  run.print(`  main thread at load: median ${median} ms, at most ${most} ms of ${loads} loads (goal: 10)`);
  run.print(`  layout shifts of the page: ${shifts} (goal: 0)`);
}

const shiftsSeen =
  'new Promise((resolve) => { new PerformanceObserver((list) => resolve(list.getEntries().length)).observe({ type: "layout-shift", buffered: true }); setTimeout(() => resolve(0), 200) })';

/** Resolves when the first word of an answer is drawn. */
const drawn = `new Promise((resolve) => {
  const root = document.querySelector('parley-widget').shadowRoot;
  new MutationObserver((_, observer) => {
    const text = root.querySelector('.message.writing .body')?.textContent;
    if (!text) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
      port2.postMessage(null);
    });
  }).observe(root, { childList: true, subtree: true, characterData: true });
})`;

async function measureWords(
  run: BenchRun,
  browser: Browser,
  { hub, origin }: { readonly hub: Hub; readonly origin: string },
): Promise<void> {
  const page = await browser.newPage();
  await page.goto(`${origin}/?token=pub_bench`);
  await page.locator('.launcher').click();
  await page.locator('textarea').waitFor();
  const waited: number[] = [];
  for (let question = 0; question < questions; question += 1) {
    const asked = hub.nextQuestion();
    await page.locator('textarea').fill('How long?');
    await page.locator('textarea').press('Enter');
    const answer = await asked;
    answer.setHeader('content-type', 'text/event-stream');
    const seen = page.evaluate(drawn);
    await wait(100);
    const sent = performance.timeOrigin + performance.now();
    answer.write('data: {"token":"Within","done":false}\n\n');
    waited.push(z.number().parse(await seen) - sent);
    answer.end(`data: {"token":"","done":true,"message_id":"msg_${question}","sources":[]}\n\n`);
    await page.locator('.chat:not(.busy)').waitFor();
  }
  const [median, late] = [quantile(waited, 0.5), quantile(waited, 0.95)].map((ms) => ms.toFixed(1));
  run.print(
    `  first word sent to first word drawn: p50 ${median} ms, p95 ${late} ms of ${questions} (goal: 50)`,
  );
}
