import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { VisitorRateLimit } from '../../../../core/limits/visitor-rate.ts';
import { chromiumPath, openBrowser } from '../../../helpers/servers/browser/open-browser.ts';
import { openShopSite } from '../../../helpers/servers/browser/shop-site.ts';
import { openWidgetServer } from '../../../helpers/servers/open-widget-server.ts';
import { solveChallenge } from '../../../helpers/servers/solve-challenge.ts';

const question = 'How many working days until parcels arrive?';
const codeSchema = z.object({ code: z.string() });

/** A shop whose proof of work starts after `easy` calls. */
async function openCrowdedServer(rates: object) {
  return openWidgetServer({
    alter: (opened) => ({
      visitorRate: new VisitorRateLimit({ ...opened, database: opened.database.kysely, rates }),
    }),
  });
}

describe.each([
  { of: 'an address', rates: { easyAsksOfAddress: 1 } },
  { of: 'the workspace', rates: { easyAsksOfWorkspace: 1 } },
])('over the usual rate for $of', async ({ rates }) => {
  const server = await openCrowdedServer(rates);
  const opening = { method: 'POST', body: {} } as const;

  test('a solved proof of work is accepted, once each', async () => {
    const shop = await server.openShop();
    const session = await shop.openSession();
    const asking = { method: 'POST', session, body: { query: question } } as const;
    const refused = await shop.send('/ask', asking);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(codeSchema.parse(await refused.json()).code).toBe('challenge_required');
    const answer = solveChallenge(refused.headers.get('challenge') ?? '');
    const admitted = await shop.send('/ask', { ...asking, answer });
    expect(admitted.status).toBe(200);
    expect(await admitted.text()).toContain('"done":true');
    expect((await shop.send('/ask', { ...asking, answer })).headers.get('challenge')).not.toBeNull();
  });

  test('a page of another origin can read the challenge and send its answer', async () => {
    const shop = await server.openShop();
    await shop.openSession();
    const origin = 'http://localhost:4000';
    const refused = await shop.send('/session', { ...opening, origin });
    expect(refused.headers.get('access-control-expose-headers')).toContain('Challenge');
    const asked = await shop.send('/session', { method: 'OPTIONS', origin });
    expect(asked.headers.get('access-control-allow-headers')).toContain('Challenge-Answer');
  });
});

test('a proof of work does not lift the limits', async () => {
  const server = await openCrowdedServer({ easyAsksOfAddress: 1, asksOfAddress: 2 });
  const shop = await server.openShop();
  const open = (answer?: string) =>
    shop.send('/session', { method: 'POST', body: {}, ...(answer !== undefined && { answer }) });
  await open();
  const challenges = await Promise.all([open(), open()]);
  const statuses: number[] = [];
  for (const { headers } of challenges)
    statuses.push((await open(solveChallenge(headers.get('challenge') ?? ''))).status);
  expect(statuses).toEqual([201, 429]);
});

test('a browser without scripts has the hard limit only, and the page shows it', async () => {
  const server = await openCrowdedServer({ easyAsksOfAddress: 1, asksOfAddress: 2 });
  await server.openShop({ slug: 'busy' }, {}, 'hosted');
  const post = () =>
    fetch(`${server.address}/c/busy`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ query: question }),
      redirect: 'manual',
    });
  expect([(await post()).status, (await post()).status]).toEqual([303, 303]);
  const refused = await post();
  expect([refused.status, refused.headers.get('challenge')]).toEqual([429, null]);
  expect(await refused.text()).toContain('That was a lot at once.');
});

describe.skipIf(chromiumPath === undefined)('in Chromium (skipped where it is not installed)', async () => {
  if (chromiumPath === undefined) return;
  const server = await openCrowdedServer({ easyAsksOfAddress: 1 });
  const site = await openShopSite(server.address);
  const browser = await openBrowser();
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  test.each(['widget', 'page'])('the %s solves the proof of work by itself', async (place) => {
    const shop = await server.openShop(
      place === 'page' ? { slug: 'crowd' } : {},
      {},
      place === 'page' ? 'hosted' : 'widget',
    );
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    page.setDefaultTimeout(30_000);
    const asked: number[] = [];
    page.on(
      'response',
      (response) => void (response.url().endsWith('/ask') && asked.push(response.status())),
    );
    await page.goto(
      place === 'page' ? `${server.address}/c/crowd` : `${site.origin}/?token=${shop.publicToken}`,
    );
    if (place === 'widget') await page.locator('.launcher').click();
    await page.locator('textarea').fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.body', { hasText: 'three working days' }).waitFor();
    expect(asked).toEqual([429, 200]);
    expect(await page.locator('.notice').isVisible()).toBe(false);
  });
});
