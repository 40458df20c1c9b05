import { describe, expect, test } from 'vitest';
import { heldWriter } from '../../../helpers/models/held-writer.ts';
import { chromiumPath } from '../../../helpers/servers/browser/open-browser.ts';
import {
  answers,
  askOn,
  field,
  openVisits,
  type VisitedPage,
  violationsOn,
} from '../../../helpers/servers/browser/open-visits.ts';
import { openShopSite } from '../../../helpers/servers/browser/shop-site.ts';
import { openCuttableLine } from '../../../helpers/servers/network/open-cuttable-line.ts';

const question = 'How many working days until parcels arrive?';
const another = 'Until when can orders be changed?';
const patience = { timeout: 15_000 };
const messages = (page: VisitedPage) => page.locator('.messages .message');
const comeBackTo = (page: VisitedPage) =>
  page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);

describe.skipIf(chromiumPath === undefined)('in Chromium (skipped where it is not installed)', async () => {
  if (chromiumPath === undefined) return;
  const { server, site, visit } = await openVisits();
  const conversationsOf = (shop: { readonly id: string }) =>
    server.runtime.database.kysely
      .selectFrom('conversation')
      .select('id')
      .where('workspace_id', '=', shop.id)
      .execute();

  test('two tabs show the same messages, in order and once', async () => {
    const shop = await server.openShop();
    const { own, page } = await visit({ shop });
    const other = await own.newPage();
    other.setDefaultTimeout(15_000);
    await other.goto(`${site.origin}/?token=${shop.publicToken}`);
    for (const tab of [page, other]) await tab.locator('.launcher').click();
    await askOn(page, question);
    await askOn(other, another);
    expect(await conversationsOf(shop)).toHaveLength(1);
    const roles = ['user', 'assistant', 'user', 'assistant'];
    for (const tab of [page, other]) {
      await comeBackTo(tab);
      await expect.poll(() => messages(tab).count(), patience).toBe(4);
      expect(await messages(tab).evaluateAll((all) => all.map(({ classList }) => classList[1]))).toEqual(
        roles,
      );
      expect(await tab.locator('.message.user .body').allInnerTexts()).toEqual([question, another]);
    }
    await other.evaluate(`Parley('logout')`);
    await expect.poll(() => messages(other).count(), patience).toBe(0);
    await comeBackTo(page);
    await expect.poll(() => messages(page).count(), patience).toBe(0);
    await own.close();
  });

  test('a visitor who was logged out by the operator sees nothing and can start again', async () => {
    const shop = await server.openShop();
    const { own, page } = await visit({ shop });
    await page.locator('.launcher').click();
    await askOn(page, question);
    await page.getByRole('button', { name: 'Talk to a person' }).click();
    await page.locator('.status.waiting').waitFor();
    await page.locator('.chat:not(.busy)').waitFor();
    const [conversation] = await conversationsOf(shop);
    const path = `/workspaces/${shop.id}/conversations/${conversation?.id}/sessions`;
    expect((await server.operate('DELETE', path)).json()).toEqual({ ended: 1 });
    await expect.poll(() => messages(page).count(), patience).toBe(0);
    expect(await page.locator('.contact').isVisible()).toBe(false);
    await askOn(page, another);
    expect(await answers(page).count()).toBe(1);
    expect(await conversationsOf(shop)).toHaveLength(2);
    await own.close();
  });

  test('an answer that arrives after the logout is not shown', async () => {
    const shop = await server.openShop();
    const { own, page } = await visit({ shop });
    await page.locator('.launcher').click();
    await field(page).waitFor();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/ask', (route) => held.then(() => route.continue()));
    const asked = page.waitForRequest('**/ask');
    await field(page).fill(question);
    await page.keyboard.press('Enter');
    await asked;
    await page.evaluate(`Parley('logout')`);
    await expect.poll(() => messages(page).count(), patience).toBe(0);
    letGo();
    await page.locator('.chat:not(.busy)').waitFor();
    expect(await messages(page).count()).toBe(0);
    await own.close();
  });

  test('history that arrives after the logout is not shown', async () => {
    const shop = await server.openShop();
    const { own, page } = await visit({ shop });
    await page.locator('.launcher').click();
    await askOn(page, question);
    const reading = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    await page.route(
      '**/messages?*',
      async (route) => {
        const response = await route.fetch();
        reading.resolve();
        await held.promise;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await comeBackTo(page);
    await reading.promise;
    await page.evaluate(`Parley('logout')`);
    await expect.poll(() => messages(page).count(), patience).toBe(0);
    const read = page.waitForResponse('**/messages?*');
    held.resolve();
    await (await read).finished();
    await askOn(page, another);
    expect(await page.locator('.message.user .body').allInnerTexts()).toEqual([another]);
    await own.close();
  });

  test('works for the lifetime of the page without storage', async () => {
    const shop = await server.openShop();
    const { own, page, complaints } = await visit({ shop });
    await page.addInitScript(
      `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })`,
    );
    await page.reload();
    await page.locator('.launcher').click();
    await askOn(page, question);
    await askOn(page, another);
    expect(await answers(page).count()).toBe(2);
    expect(await conversationsOf(shop)).toHaveLength(1);
    expect(complaints).toEqual([]);
    await own.close();
  });

  test('sends all messages that were written offline, one after the other', async () => {
    const shop = await server.openShop();
    const { own, page } = await visit({ shop });
    await page.locator('.launcher').click();
    await field(page).waitFor();
    await own.setOffline(true);
    await askOn(page, question);
    await askOn(page, another);
    await page.getByText('You are offline.').waitFor();
    expect(await page.locator('.message.failed').count()).toBe(2);
    await own.setOffline(false);
    await expect.poll(() => answers(page).locator('.tools').count(), patience).toBe(2);
    expect(await messages(page).evaluateAll((all) => all.map(({ classList }) => classList[1]))).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(await page.locator('.failed, .again').count()).toBe(0);
    expect(await page.locator('.notice').isVisible()).toBe(false);
    await own.close();
  });

  test('a question from the page during an answer is asked after it', async () => {
    const shop = await server.openShop();
    const calls = `Parley('ask',${JSON.stringify(question)});Parley('ask',${JSON.stringify(another)})`;
    const { own, page } = await visit({ shop, calls });
    await expect.poll(() => answers(page).locator('.tools').count(), patience).toBe(2);
    expect(await page.locator('.message.user .body').allInnerTexts()).toEqual([question, another]);
    await own.close();
  });

  test('a rejected question shows the reason and is retried by a button or by itself', async () => {
    const shop = await server.openShop();
    const { own, page } = await visit({ shop });
    await page.locator('.launcher').click();
    await field(page).waitFor();
    const refuse = (status: number, body: object, headers: Record<string, string> = {}) =>
      page.route('**/ask', (route) =>
        route.fulfill({
          status,
          body: JSON.stringify(body),
          headers: {
            'access-control-allow-origin': '*',
            'access-control-expose-headers': 'Retry-After',
            ...headers,
          },
        }),
      );
    await refuse(500, { code: 'internal_error' });
    await askOn(page, question);
    await page.getByRole('alert').getByText('That did not work.').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    const failed = page.locator('.message.failed');
    expect(await failed.getByRole('button').allInnerTexts()).toEqual(['Try again', 'Talk to a person']);
    await page.unroute('**/ask');
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await answers(page).locator('.tools').waitFor();
    expect(await field(page).evaluate((input) => input.matches(':focus'))).toBe(true);
    await refuse(429, { code: 'rate_limit_minute' }, { 'retry-after': '1' });
    await askOn(page, another);
    await page.getByRole('alert').getByText('That was a lot at once.').waitFor();
    await page.unroute('**/ask');
    await expect.poll(() => answers(page).locator('.tools').count(), patience).toBe(2);
    expect(await page.locator('.message.user .body').allInnerTexts()).toEqual([question, another]);
    expect(await page.locator('.again').count()).toBe(0);
    await own.close();
  });

  test('loads older messages in pages and in order', async () => {
    const shop = await server.openShop();
    const { own, page } = await visit({ shop });
    await page.locator('.launcher').click();
    await askOn(page, question);
    const session = await page.evaluate<string>(
      `JSON.parse(localStorage.getItem('parley:${shop.publicToken}')).session`,
    );
    for (let number = 1; number < 25; number += 1) await shop.say(session, `${question} (${number})`);
    await page.reload();
    await page.locator('.launcher').click();
    await expect.poll(() => messages(page).count(), patience).toBe(30);
    await page.getByRole('button', { name: 'Show earlier messages' }).press('Enter');
    await expect.poll(() => messages(page).count(), patience).toBe(50);
    expect(await page.locator('.message.user .body').allInnerTexts()).toEqual(
      Array.from({ length: 25 }, (_, number) => (number === 0 ? question : `${question} (${number})`)),
    );
    expect(await page.getByRole('button', { name: 'Show earlier messages' }).isVisible()).toBe(false);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('PARLEY-WIDGET');
    await own.close();
  });
});

describe.skipIf(chromiumPath === undefined)('in Chromium, while an answer is generated', async () => {
  if (chromiumPath === undefined) return;
  const writer = heldWriter();
  const { server, visit } = await openVisits({ writer });

  test('a lost question is shown as such and can be asked again', async () => {
    const line = await openCuttableLine(server.address);
    const site = await openShopSite(line.address);
    const { own, page } = await visit({ shop: await server.openShop(), at: site.origin });
    await page.locator('.launcher').click();
    await field(page).fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.message.writing').waitFor();
    line.cut();
    writer.fail();
    await page.getByRole('alert').getByText('That did not work.').waitFor();
    expect(await answers(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.message.writing').waitFor();
    writer.letGo();
    await page.locator('.body', { hasText: 'Within three days.' }).waitFor();
    expect(await page.locator('.message.user').count()).toBe(1);
    expect(await page.locator('.notice').isVisible()).toBe(false);
    await own.close();
    await Promise.all([line.close(), site.close()]);
  });

  test('a visitor who returns to the page finds the question with its answer', async () => {
    const { own, page } = await visit({ shop: await server.openShop() });
    await page.locator('.launcher').click();
    await field(page).fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.message.writing').waitFor();
    await page.reload();
    await page.locator('.launcher').click();
    await page.locator('.typing', { hasText: 'Writing the answer' }).waitFor();
    writer.letGo();
    await page.locator('.body', { hasText: 'Within three days.' }).waitFor();
    expect(await page.locator('.message.user .body').allInnerTexts()).toEqual([question]);
    await own.close();
  });
});
