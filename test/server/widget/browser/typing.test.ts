import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { chromiumPath, openBrowser } from '../../../helpers/servers/browser/open-browser.ts';
import { openShopSite } from '../../../helpers/servers/browser/shop-site.ts';
import { hearWorkspace } from '../../../helpers/servers/hear-workspace.ts';
import { openWidgetServer } from '../../../helpers/servers/open-widget-server.ts';
import { readEvents } from '../../../helpers/servers/questions/read-events.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const server = await openWidgetServer();
const { runtime, address } = server;
let shops = 0;

/** A shop with an agent whose address is `ada.lovelaceN@…`. */
async function openShop(channel = 'widget', settings: object = {}) {
  shops += 1;
  const shop = await server.openShop(settings, {}, channel);
  const email = `ada.lovelace${shops}@shop.example`;
  const agent = await signInPerson(server, { email, role: 'agent', ownerId: shop.owner });
  const findConversation = () =>
    runtime.database.kysely
      .selectFrom('conversation')
      .select('id')
      .where('workspace_id', '=', shop.id)
      .executeTakeFirstOrThrow();
  return {
    shop,
    findConversation,
    async write() {
      const { id } = await findConversation();
      const path = `/admin/v1/workspaces/${shop.id}/conversations/${id}/presence`;
      return (await agent.call('PUT', path, { doing: 'writing' })).statusCode;
    },
    async hear() {
      const stream = await hearWorkspace({ address, workspaceId: shop.id, caller: agent });
      onTestFinished(stream.close);
      await stream.until(({ event }) => event === 'hello');
      return stream;
    },
  };
}

describe('while a person has the conversation', () => {
  test('agents hear that the visitor writes', async () => {
    const { shop, hear, findConversation } = await openShop();
    const session = await shop.openSession();
    await shop.say(session, 'A person, please', '/human');
    const stream = await hear();
    expect((await shop.send('/typing', { method: 'POST', session })).status).toBe(204);
    const { id } = await findConversation();
    expect(await stream.until(({ event }) => event === 'typing')).toEqual({ event: 'typing', id });
  });

  test('the visitor hears that an agent writes, by name', async () => {
    const { shop, write } = await openShop();
    const session = await shop.openSession();
    await shop.say(session, 'A person, please', '/human');
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const { body } = await shop.send('/events', { session, signal: stop.signal });
    for await (const frame of readEvents(body ?? expect.unreachable())) {
      if (frame.event === 'state') expect(await write()).toBe(204);
      if (frame.event !== 'typing') continue;
      expect(frame.name).toMatch(/^ada\.lovelace\d+$/);
      break;
    }
  });
});

describe('while the engine answers', () => {
  test('nobody hears that the visitor writes', async () => {
    const { shop, hear } = await openShop();
    const session = await shop.openSession();
    await shop.say(session, 'How many working days until parcels arrive?');
    const stream = await hear();
    await shop.send('/typing', { method: 'POST', session });
    await shop.say(session, 'A person, please', '/human');
    await stream.until(({ change }) => change === 'status');
    expect(stream.frames.map(({ event }) => event)).not.toContain('typing');
  });
});

describe.skipIf(chromiumPath === undefined)('in Chromium (skipped where it is not installed)', async () => {
  if (chromiumPath === undefined) return;
  const site = await openShopSite(address);
  const browser = await openBrowser();
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  test('the widget shows who writes until their message comes, and tells agents of the visitor', async () => {
    const { shop, write, hear, findConversation } = await openShop();
    const page = await browser.newPage();
    await page.goto(`${site.origin}/?token=${shop.publicToken}`);
    await page.locator('.launcher').click();
    const opened = page.waitForResponse(/\/events$/);
    await page.getByRole('button', { name: 'Talk to a person' }).click();
    await opened;
    await page.locator('.chat:not(.busy)').waitFor();
    expect(await write()).toBe(204);
    await page.getByText(/^ada\.lovelace\d+ is writing$/).waitFor();
    const stream = await hear();
    await page.locator('textarea').pressSequentially('My pot is broken');
    await stream.until(({ event }) => event === 'typing');
    await shop.reply((await findConversation()).id, 'Hello.');
    await page.locator('.message.agent').waitFor();
    await page.getByText(/is writing$/).waitFor({ state: 'hidden' });
    await page.close();
  });
});
