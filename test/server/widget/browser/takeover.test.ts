import { afterAll, describe, expect, test } from 'vitest';
import { heldPieces, heldWriter } from '../../../helpers/models/held-writer.ts';
import { chromiumPath, openBrowser } from '../../../helpers/servers/browser/open-browser.ts';
import { openShopSite } from '../../../helpers/servers/browser/shop-site.ts';
import { openWidgetServer } from '../../../helpers/servers/open-widget-server.ts';
import { type Frame, readEvents, textOf } from '../../../helpers/servers/questions/read-events.ts';

const question = 'How many working days until parcels arrive?';
const writer = heldWriter();
const server = await openWidgetServer({ writer });
const { runtime } = server;

type Shop = Awaited<ReturnType<typeof server.openShop>>;

/** The received frames of an answer from its first words until it ends. */
async function beginAnswer(shop: Shop, session: string, query: string) {
  const { body } = await shop.send('/ask', { method: 'POST', session, body: { query } });
  const frames: Frame[] = [];
  const begun = Promise.withResolvers<void>();
  const all = (async () => {
    for await (const frame of readEvents(body ?? expect.unreachable())) {
      frames.push(frame);
      if (textOf(frames) === heldPieces.join('')) begun.resolve();
    }
    return frames;
  })();
  await begun.promise;
  return { all };
}

/**
 * A visitor in a conversation with one answer who asks again and has received the first words of the second
 * one.
 */
async function interrupt() {
  const shop = await server.openShop();
  const session = await shop.openSession();
  const first = await beginAnswer(shop, session, question);
  writer.letGo();
  const conversation = (await first.all).at(-1)?.conversation_id;
  return { shop, session, conversation, ...(await beginAnswer(shop, session, 'And to Norway?')) };
}

describe('an agent who takes over during an answer', () => {
  test('ends the answer immediately; the partial answer is discarded and the question is kept', async () => {
    const { shop, session, conversation, all } = await interrupt();
    expect((await shop.reply(conversation, 'Ada here: Norway takes five days.')).statusCode).toBeLessThan(
      300,
    );
    const last = (await all).at(-1);
    expect(last).toMatchObject({ done: true, kept: true });
    await writer.closed;
    const { messages, status, answering } = await shop.history(session);
    expect([status, answering]).toEqual(['person', false]);
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'And to Norway?'],
      ['agent', 'Ada here: Norway takes five days.'],
      ['assistant', 'Within three days.'],
      ['user', question],
    ]);
    expect(messages[0]?.id).toBe(last?.message_id);
  });

  test('refunds the quota of the unfinished answer', async () => {
    const { shop, conversation, all } = await interrupt();
    await shop.reply(conversation, 'Ada here.');
    await all;
    const used = await runtime.database.kysely
      .selectFrom('owner_usage')
      .select('messages')
      .where('owner_id', '=', shop.owner)
      .executeTakeFirstOrThrow();
    expect(used.messages).toBe(1);
  });

  test('is not interrupted even if the notification is late', async () => {
    const { shop, session, conversation, all } = await interrupt();
    // This acts like a pooler that does not forward notifications.
    await runtime.database.pool.query('alter table conversation disable trigger visitor_status');
    await runtime.database.pool.query('alter table message disable trigger visitor_reply');
    await shop.reply(conversation, 'Ada here.').finally(async () => {
      await runtime.database.pool.query('alter table conversation enable trigger visitor_status');
      await runtime.database.pool.query('alter table message enable trigger visitor_reply');
    });
    writer.letGo();
    expect((await all).at(-1)).toMatchObject({ done: true, kept: true });
    const { messages } = await shop.history(session);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'agent', 'assistant', 'user']);
  });
});

describe.skipIf(chromiumPath === undefined)('in Chromium (skipped where it is not installed)', async () => {
  if (chromiumPath === undefined) return;
  const site = await openShopSite(server.address);
  const browser = await openBrowser();
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  test('the partial answer disappears, and the agent is shown', async () => {
    const shop = await server.openShop();
    const page = await browser.newPage();
    page.setDefaultTimeout(15_000);
    const answered = page.waitForResponse((response) => response.url().endsWith('/ask'));
    await page.goto(`${site.origin}/?token=${shop.publicToken}`);
    await page.locator('.launcher').click();
    await page.locator('textarea').fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.message.writing').waitFor();
    writer.letGo();
    const first = await (await answered).text();
    const conversation = /"conversation_id":"(?<id>\w+)"/.exec(first)?.groups?.id;
    await page.locator('.chat:not(.busy)').waitFor();
    await page.locator('textarea').fill('And to Norway?');
    await page.keyboard.press('Enter');
    await page.locator('.message.writing').waitFor();
    await shop.reply(conversation, 'Ada here: five days.');
    await page.locator('.message.agent', { hasText: 'Ada here: five days.' }).waitFor();
    await page.locator('.status', { hasText: 'You are talking to Ada Lovelace.' }).waitFor();
    await page.locator('.chat:not(.busy)').waitFor();
    expect(await page.locator('.message.assistant:not(.greeting)').allInnerTexts()).toHaveLength(1);
    expect(await page.locator('.message.user').count()).toBe(2);
    await page.close();
  });
});
