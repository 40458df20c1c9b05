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
  expect((await ann.call('GET', url)).json().rating).toMatchObject({ score: 4, comment: 'Quick' });
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
