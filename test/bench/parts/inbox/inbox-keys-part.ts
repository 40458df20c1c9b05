import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { chromiumPath, openBrowser } from '../../../helpers/servers/browser/open-browser.ts';
import { attempt } from '../../attempt.ts';
import type { BenchRun } from '../../bench-run.ts';
import { type LargeInbox, openLargeInbox } from '../../fill/open-large-inbox.ts';
import { milliseconds } from '../../format.ts';
import { quantile } from '../../quantile.ts';
import { table } from '../../table.ts';

const presses = 60;
const warmUps = 5;
/** The time between two keys of an agent who pages through the list. */
const pauseMs = 250;
const mostMs = 50;

/** Measures how soon J and K show the next conversation in Chromium, in an inbox of 50,000 conversations. */
export async function inboxKeysPart(run: BenchRun): Promise<void> {
  if (chromiumPath === undefined) {
    run.fail('inbox-keys: this machine has no Chromium');
    return;
  }
  await attempt(run, async () => {
    const inbox = await openLargeInbox(run, 'inbox-keys');
    const browser = await openBrowser();
    try {
      await measureKeys(run, await openList(browser, inbox));
    } finally {
      await browser.close();
      await inbox.close();
    }
  });
}

async function openList(browser: Browser, { address, workspaceId, ann }: LargeInbox): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  await context.addCookies(
    ann.cookie.split('; ').map((pair) => {
      const at = pair.indexOf('=');
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url: address };
    }),
  );
  const page = await context.newPage();
  await page.addInitScript(watchKeys);
  await page.goto(`${address}/dashboard/w/${workspaceId}/inbox?view=open`);
  await page.getByRole('option').first().waitFor({ timeout: 120_000 });
  return page;
}

async function measureKeys(run: BenchRun, page: Page): Promise<void> {
  const rows: string[][] = [];
  for (const key of ['j', 'k']) {
    run.progress(`inbox-keys: ${key}`);
    const times: KeyTimes[] = [];
    // The first J begins at the top of the list, so there is one more of them than of K, which would find no row
    // above it.
    const first = key === 'j' ? -warmUps - 1 : -warmUps;
    for (let press = first; press < presses; press += 1) {
      // A key that came before its listener would be awaited without end.
      await page.evaluate('watchNextKey()');
      await page.keyboard.press(key);
      const both = timesSchema.parse(await page.evaluate('window.keyShown'));
      if (press >= 0) times.push(both);
      await page.waitForTimeout(pauseMs);
    }
    for (const [what, read] of readings) {
      const all = times.map(read);
      const most = quantile(all, 0.95);
      if (!(most <= mostMs)) {
        run.fail(`inbox-keys: 95 of 100 presses of ${key} should show ${what} within ${mostMs} ms`);
      }
      rows.push([
        key.toUpperCase(),
        what,
        milliseconds(quantile(all, 0.5)),
        milliseconds(most),
        milliseconds(quantile(all, 1)),
      ]);
    }
  }
  run.print(
    table(
      'From key to paint in an inbox of 50,000 conversations',
      ['key', 'shows', 'p50', 'p95', 'slowest'],
      rows,
    ),
  );
}

const timesSchema = z.object({ row: z.number(), conversation: z.number() });
type KeyTimes = z.output<typeof timesSchema>;

const readings: readonly (readonly [string, (times: KeyTimes) => number])[] = [
  ['the row', ({ row }) => row],
  ['the conversation', ({ conversation }) => conversation],
];

/**
 * Runs in the page: resolves with the times from the next key to the frames that show the new row and its
 * conversation.
 */
const watchKeys = `
  window.watchNextKey = () => void (window.keyShown = new Promise((resolve) => {
    const current = () => document.querySelector('.p-row[data-current] .p-row-name')?.textContent;
    const before = current();
    addEventListener('keydown', ({ timeStamp }) => {
      const times = {};
      const look = () => {
        const name = current();
        const hasRow = name !== undefined && name !== before;
        const heading = document.querySelector('.p-inbox-desk h2, .p-inbox-desk h1')?.textContent;
        const hasConversation = hasRow && heading === name && document.querySelector('.p-inbox-desk [role="log"]') !== null;
        // The frame is on the screen when the next task runs.
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          const now = performance.now() - timeStamp;
          if (hasRow) times.row ??= now;
          if (hasConversation) times.conversation ??= now;
          if (times.conversation === undefined && now < 5_000) requestAnimationFrame(look);
          else resolve({ row: times.row ?? now, conversation: times.conversation ?? now });
        };
        channel.port2.postMessage(null);
      };
      requestAnimationFrame(look);
    }, { capture: true, once: true });
  }));
`;
