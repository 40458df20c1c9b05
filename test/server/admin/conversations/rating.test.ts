import { expect, test } from 'vitest';
import { z } from 'zod';
import { openWidgetServer } from '../../../helpers/servers/open-widget-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const stateSchema = z.looseObject({ rating: z.unknown() });

const server = await openWidgetServer();
const { runtime } = server;

async function openChat() {
  const shop = await server.openShop();
  const { id: workspaceId, owner: ownerId } = shop;
  const email = `ann@${workspaceId.replaceAll('_', '-').toLowerCase()}.example`;
  const ann = await signInPerson(server, { email, role: 'owner', ownerId });
  const opened = await shop.send('/session', { method: 'POST', body: {} });
  const { session } = z.looseObject({ session: z.string() }).parse(await opened.json());
  const body = { query: 'When does my parcel arrive?' };
  await (await shop.send('/ask', { method: 'POST', session, body })).text();
  const base = `/admin/v1/workspaces/${workspaceId}`;
  const { conversations } = (await ann.call('GET', `${base}/conversations`)).json();
  return {
    ...{ ann, workspaceId, url: `${base}/conversations/${conversations[0].id}` },
    state: async () => stateSchema.parse(await (await shop.send('/messages', { session })).json()),
    rate: (rating: object) => shop.send('/rating', { method: 'POST', session, body: rating }),
  };
}

test('a visitor rates a conversation that a person resolved; it is kept with it and told to webhooks', async () => {
  const { ann, workspaceId, url, state, rate } = await openChat();
  await runtime.webhooks.create(workspaceId, {
    url: 'https://shop.example/hook',
    events: ['conversation.rated'],
  });
  expect((await rate({ score: 5 })).status).toBe(409);
  await ann.call('POST', `${url}/reply`, { content: 'Tomorrow', resolve: true });
  expect((await state()).rating).toEqual({ score: null });
  expect((await rate({ score: 6 })).status).toBe(422);
  expect((await rate({ score: 4, comment: 'Quick' })).status).toBe(204);
  expect((await state()).rating).toEqual({ score: 4 });
  expect((await ann.call('GET', url)).json().ratings[0]).toMatchObject({ score: 4, comment: 'Quick' });
  const { rows } = await runtime.database.pool.query(
    "select event, data ->> 'score' as score from webhook_delivery",
  );
  expect(rows).toEqual([{ event: 'conversation.rated', score: '4' }]);
});

test('nobody is asked to rate the engine', async () => {
  const { ann, url, state } = await openChat();
  await ann.call('PATCH', url, { status: 'resolved' });
  expect((await state()).rating).toBeNull();
});

test('a rating stays when an agent opens the conversation again and resolves it, and the next one is beside it', async () => {
  const { ann, workspaceId, url, rate } = await openChat();
  const hook = await runtime.webhooks.create(workspaceId, {
    url: 'https://shop.example/hook',
    events: ['conversation.rated'],
  });
  await ann.call('POST', `${url}/reply`, { content: 'No', resolve: true });
  await rate({ score: 1, comment: 'Rude' });
  await ann.call('PATCH', url, { status: 'open' });
  await ann.call('PATCH', url, { status: 'resolved' });
  const ratings = async () => (await ann.call('GET', url)).json().ratings;
  expect(await ratings()).toMatchObject([
    { score: null, rated_at: null },
    { score: 1, comment: 'Rude', resolved_by: 'ann' },
  ]);
  await rate({ score: 4 });
  expect(await ratings()).toMatchObject([{ score: 4 }, { score: 1, comment: 'Rude' }]);
  const { rows } = await runtime.database.pool.query(
    "select data ->> 'score' as score, data ->> 'resolved_by' as by from webhook_delivery where webhook_id = $1 order by id",
    [hook.webhook.id],
  );
  expect(rows.map(({ score }) => score)).toEqual(['1', '4']);
  expect(rows.every(({ by }) => by !== null)).toBe(true);
});
