import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTwilioPeer } from '../../../../helpers/platforms/twilio/peer.ts';
import { chromiumPath } from '../../../../helpers/servers/browser/open-browser.ts';
import { openSignedInPages, waitForPaint } from '../../../../helpers/servers/browser/open-signed-in-page.ts';
import { openTelegramServer } from '../../../../helpers/servers/channels/open-telegram-server.ts';
import { signInPerson } from '../../../../helpers/servers/sign-in-person.ts';

const question = 'I want to talk to a human please. When is the shop open?';
const addedSchema = z.object({ id: z.string(), webhook_url: z.string().nullish() });
const sessionSchema = z.object({ session: z.string() });
const saidSchema = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });
const listSchema = z.object({
  conversations: z.array(
    z.object({ id: z.string(), status: z.string(), assignee: z.object({ id: z.string() }).nullable() }),
  ),
});

/** Reads the replies that people sent to a visitor. */
type ReadReplies = () => Promise<readonly string[]>;

function agentsSaid(answer: unknown): readonly string[] {
  const { messages } = saidSchema.parse(answer);
  return messages.filter(({ role }) => role === 'agent').map(({ content }) => content);
}

/** Deals with the open conversation by keys alone. Waits only for what a person sees before they press on. */
interface Plan {
  readonly keys: (page: Page) => Promise<void>;
  /** The reply that the visitor gets; absent: none. */
  readonly told?: string;
  readonly status: string;
}

const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply', exact: true });

/** Sends the reply, resolves, and waits until another conversation is open, or none after the last one. */
async function sendAndGoOn(page: Page): Promise<void> {
  const before = await findCurrent(page);
  await page.keyboard.press('Control+Shift+Enter');
  await expect.poll(() => findCurrent(page)).not.toBe(before);
}

/** Returns the id of the row whose conversation is open, or null. */
async function findCurrent(page: Page): Promise<string | null> {
  const current = page.locator('[data-row]:has([data-current])');
  const [id = null] = await current.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')));
  return id;
}

const plans: readonly Plan[] = [
  {
    keys: async (page) => {
      await page.getByRole('region', { name: 'Draft from your documents' }).getByText('from nine').waitFor();
      await page.keyboard.press('r');
      await page.keyboard.press('Tab');
      await expect.poll(() => reply(page).inputValue()).toContain('from nine');
      await sendAndGoOn(page);
    },
    told: 'The shop is open on weekdays from nine to five.',
    status: 'resolved',
  },
  {
    keys: async (page) => {
      await page.keyboard.press('r');
      await page.keyboard.type(';lat');
      await page.getByRole('option', { name: 'later' }).waitFor();
      await page.keyboard.press('Enter');
      await expect.poll(() => reply(page).inputValue()).toBe('We write back today.');
      await sendAndGoOn(page);
    },
    told: 'We write back today.',
    status: 'resolved',
  },
  {
    keys: async (page) => {
      await page.keyboard.press('r');
      await page.keyboard.type('Come by at ten.');
      await page.keyboard.press('Control+Enter');
      await page.keyboard.press('Escape');
      await page.keyboard.press('e');
    },
    told: 'Come by at ten.',
    status: 'resolved',
  },
  {
    keys: async (page) => {
      await page.keyboard.press('t');
      await page.keyboard.press('e');
    },
    status: 'resolved',
  },
  {
    keys: async (page) => {
      await page.keyboard.press('n');
      await page.keyboard.type('Rang them up.');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('article', { name: 'maya, note' }).getByText('Rang them up.').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('i');
    },
    status: 'escalated',
  },
];

describe.skipIf(chromiumPath === undefined)(
  'the keyboard alone in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const hub = await openTelegramServer('webhook');
    const { telegram, workspace, address, eventually } = hub;
    const { id: workspaceId, owner: ownerId } = workspace;
    const addChannel = async (channel: string, fields: object = {}) => {
      const added = await hub.operate('POST', `/workspaces/${workspaceId}/channels`, {
        ...{ channel, name: channel, settings: {} },
        ...fields,
      });
      return addedSchema.parse(added.json());
    };
    const twilio = await openTwilioPeer();
    afterAll(() => twilio.close());
    const phone = await addChannel('sms', {
      credentials: { account_sid: twilio.account.sid, auth_token: twilio.account.token },
      settings: { from: twilio.number, api_base_url: twilio.url },
    });
    twilio.hookAt(`${address}/webhooks/${phone.id}`, phone.webhook_url ?? '');
    await addChannel('widget');
    await addChannel('hosted', { settings: { slug: 'help' } });

    const post = (path: string, body: object, session?: string) =>
      fetch(`${address}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(session !== undefined && { authorization: `Bearer ${session}` }),
        },
        body: JSON.stringify(body),
      });
    /** Visitors of five channels who ask for a person. */
    const visitors: readonly ((number: number) => Promise<ReadReplies>)[] = [
      async (number) => {
        const chat = 800 + number;
        telegram.chats.add(chat);
        const from = { id: chat, is_bot: false, first_name: 'Ann', last_name: `Lee ${chat}` };
        const message = { message_id: number, date: Math.floor(Date.now() / 1_000), from, text: question };
        const update = {
          update_id: 7_000 + number,
          message: { ...message, chat: { ...from, type: 'private' } },
        };
        await telegram.tell(update);
        const sent = () => telegram.sent.filter((part) => part.chat === chat).map(({ text }) => text);
        await eventually(() => expect(sent()).toHaveLength(1));
        // The question for a rating comes after it.
        return async () => sent().slice(1, 2);
      },
      async (number) => {
        const From = `+1555000010${number}`;
        const MessageSid = `SM${String(number).padStart(32, '0')}`;
        const fields = { MessageSid, SmsSid: MessageSid, AccountSid: twilio.account.sid };
        await twilio.tell({ ...fields, From, To: twilio.number, Body: question, NumMedia: '0' });
        const sent = () => twilio.sent.filter(({ to }) => to === From).map(({ body }) => body);
        await eventually(() => expect(sent()).toHaveLength(1));
        // The question for a rating comes after it.
        return async () => sent().slice(1, 2);
      },
      async () => {
        const path = `/widget/${workspace.publicToken}`;
        const opened = await post(`${path}/session`, {});
        const { session } = sessionSchema.parse(await opened.json());
        await (await post(`${path}/ask`, { query: question }, session)).text();
        const headers = { authorization: `Bearer ${session}` };
        return async () => agentsSaid(await (await fetch(`${address}${path}/messages`, { headers })).json());
      },
      async () => {
        const asked = await fetch(`${address}/c/help`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ query: question }).toString(),
          redirect: 'manual',
        });
        const headers = { cookie: asked.headers.get('set-cookie')?.split(';')[0] ?? '' };
        return async () => agentsSaid(await (await fetch(`${address}/c/help/messages`, { headers })).json());
      },
      async () => {
        const asked = await hub.query(workspace.key, { query: question });
        const url = `/v1/conversations/${asked.json().conversation_id}`;
        const headers = { authorization: `Bearer ${workspace.key}` };
        return async () => agentsSaid((await hub.app.inject({ url, headers })).json());
      },
    ];
    const list = async (view: string) => {
      const read = await hub.operate('GET', `/workspaces/${workspaceId}/conversations?view=${view}`);
      return listSchema.parse(read.json()).conversations;
    };

    test('ten escalated conversations of five channels are cleared without a mouse', async () => {
      const told = new Map<string, ReadReplies>();
      for (const number of [1, 2]) {
        for (const ask of visitors) {
          const read = await ask(number);
          await eventually(async () => expect(await list('waiting')).toHaveLength(told.size + 1));
          const { id = '' } = (await list('waiting')).find((each) => !told.has(each.id)) ?? {};
          told.set(id, read);
        }
      }
      // The second conversation of a channel is dealt with in another way than its first.
      const planned = [...plans, ...plans.slice(2), ...plans.slice(0, 2)];
      const byId = new Map([...told.keys()].map((id, position) => [id, planned[position]] as const));
      const maya = await signInPerson(hub, { email: 'maya@shop.example', role: 'agent', ownerId });
      await hub.operate('POST', `/workspaces/${workspaceId}/snippets`, {
        ...{ name: 'later', text: 'We write back today.' },
      });
      const pages = await openSignedInPages({ address, cookie: maya.cookie });
      afterAll(() => pages.close());
      const { page, complaints } = await pages.visit(`/w/${workspaceId}/inbox`);
      await expect.poll(() => page.getByRole('listbox').getByRole('option').count()).toBe(10);
      const done = new Set<string>();
      while (done.size < 10) {
        const id = await goToNext(page, done);
        await byId.get(id)?.keys(page);
        done.add(id);
      }
      await page.getByText('No conversation waits.').waitFor();
      await eventually(async () => expect(await list('waiting')).toEqual([]));
      const all = new Map((await list('all')).map((each) => [each.id, each]));
      for (const [id, read] of told) {
        const plan = byId.get(id);
        await eventually(async () =>
          expect(await read()).toEqual(plan?.told === undefined ? [] : [plan.told]),
        );
        expect(all.get(id)?.status).toBe(plan?.status);
      }
      expect(complaints).toEqual([]);
      await page.context().close();
    }, 120_000);

    test('a key right after another one holds, also if its request could overtake the one before', async () => {
      const { conversation_id: id } = (await hub.query(workspace.key, { query: question })).json();
      const ben = await signInPerson(hub, { email: `ben-${id}@shop.example`, role: 'agent', ownerId });
      const pages = await openSignedInPages({ address, cookie: ben.cookie });
      afterAll(() => pages.close());
      const { page, context } = await pages.visit(`/w/${workspaceId}/inbox/${id}`);
      await page.getByRole('log', { name: 'Messages' }).waitFor();
      const released = Promise.withResolvers<void>();
      const answered: string[] = [];
      await context.route(`**/conversations/${id}`, async (route, request) => {
        if (request.method() !== 'PATCH') return route.fallback();
        const { status } = z.object({ status: z.string() }).parse(request.postDataJSON());
        if (status === 'claimed') await released.promise;
        const response = await route.fetch();
        answered.push(status);
        return route.fulfill({ response });
      });
      // Keys act once the header is there.
      await page.getByRole('button', { name: 'Resolve' }).first().waitFor();
      await waitForPaint(page);
      await page.keyboard.press('t');
      await page.keyboard.press('e');
      await page.getByRole('button', { name: 'Reopen' }).waitFor();
      released.resolve();
      await expect.poll(() => answered).toEqual(['claimed', 'resolved']);
      expect((await list('resolved')).map((each) => each.id)).toContain(id);
      await context.close();
    });
  },
);

/**
 * Presses J, and K at the end of the list, until a conversation is shown that was not dealt with yet. Returns its id. One that
 * was dealt with stays in the list until the server has said so.
 */
async function goToNext(page: Page, done: ReadonlySet<string>): Promise<string> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Escape');
    await page.keyboard.press(presses % 20 < 10 ? 'j' : 'k');
    await waitForPaint(page);
    const id = await findCurrent(page);
    if (id === null || done.has(id)) continue;
    await page.waitForURL(`**/${id}?*`);
    await page.getByRole('log', { name: 'Messages' }).getByText(question.slice(0, 20)).first().waitFor();
    return id;
  }
  throw new RangeError('J and K lead to no other conversation.');
}
