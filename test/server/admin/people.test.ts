import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openPipelineServer } from '../../helpers/servers/open-pipeline-server.ts';
import { openWidgetServer } from '../../helpers/servers/open-widget-server.ts';

const server = await openWidgetServer();
const { runtime, operate, query } = server;
const { kysely } = runtime.database;

const ann = 'ann@example.com';
const question = 'How long do parcels take?';

type Shop = Awaited<ReturnType<typeof server.openShop>>;

const peopleOf = (shop: { id: string }, search: string) => `/workspaces/${shop.id}/people?${search}`;
const exportPerson = async (shop: { id: string }, search = `email=${ann}`) => {
  const response = await operate('GET', peopleOf(shop, search));
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};
const erase = async (shop: { id: string }, search = `email=${ann}`) => {
  const response = await operate('DELETE', peopleOf(shop, search));
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};

/**
 * Opens a shop with Ann: a visitor with two conversations, one of which contains their name, a question by API, and a
 * webhook.
 */
async function openShopWithAnn() {
  const shop = await server.openShop();
  await operate('POST', `/workspaces/${shop.id}/webhooks`, {
    url: 'https://receiver.example/hook',
    events: ['message.created'],
  });
  const hash = createHmac('sha256', shop.identitySecret).update('customer-7').digest('hex');
  const session = await shop.openSession({ user: { user_id: 'customer-7', hash } });
  const [frame] = (await shop.say(session, question)).slice(-1);
  const inWidget = String(frame?.conversation_id);
  const asked = await server.app.inject({
    method: 'POST',
    url: '/v1/query',
    headers: { authorization: `Bearer ${shop.key}`, 'idempotency-key': 'once' },
    payload: { query: question },
  });
  const byApi = String(asked.json().conversation_id);
  const name = (id: string, customer: object) =>
    server.app.inject({
      method: 'PATCH',
      url: `/v1/conversations/${id}`,
      headers: { authorization: `Bearer ${shop.key}` },
      payload: { customer, internal_notes: [{ content: 'Ann called about a parcel.' }] },
    });
  await name(byApi, { email: 'ANN@example.com', name: 'Ann', phone: '+49 30 1234567' });
  await name(inWidget, { email: ann });
  return { ...shop, session, inWidget, byApi };
}

/** Returns all texts that the database stores for a workspace, from all tables with a workspace column. */
async function everythingOf({ id }: { id: string }): Promise<string> {
  const tables = [
    'conversation',
    'message',
    'note',
    'audit_entry',
    'webhook_delivery',
    'visitor',
    'visitor_file',
  ];
  const rows = await Promise.all(
    [...tables, 'lane', 'inbound_event', 'outbound_part'].map(async (table) => {
      const { rows: found } = await runtime.database.pool.query(
        `select to_jsonb(held)::text as held from ${table} held where workspace_id = $1`,
        [id],
      );
      return found;
    }),
  );
  const replays = await kysely
    .selectFrom('idempotent_request')
    .innerJoin('api_key', 'api_key.id', 'key_id')
    .select('body')
    .where('workspace_id', '=', id)
    .execute();
  return JSON.stringify([rows, replays]);
}

describe('a person', () => {
  test('is exported completely, by email address, phone number or user id', async () => {
    const shop = await openShopWithAnn();
    const exported = await exportPerson(shop);
    expect(exported.conversations.map(({ id }: { id: string }) => id).sort()).toEqual(
      [shop.inWidget, shop.byApi].sort(),
    );
    expect(exported.conversations[0]).toMatchObject({
      messages: [{ role: 'user', content: question }, { role: 'assistant' }],
      internal_notes: [{ content: 'Ann called about a parcel.' }],
    });
    expect(exported.visitors).toMatchObject([{ user_id: 'customer-7' }]);
    expect(exported.deliveries.length).toBeGreaterThanOrEqual(4);
    expect(exported.replays).toMatchObject([{ idempotency_key: 'once', conversation_id: shop.byApi }]);
    expect((await exportPerson(shop, 'phone=%2B49301234567')).conversations).toMatchObject([
      { id: shop.byApi },
    ]);
    expect((await exportPerson(shop, 'user_id=customer-7')).conversations).toMatchObject([
      { id: shop.inWidget },
    ]);
  });

  test('is erased completely, with a receipt without values, and a second call finds nothing', async () => {
    const shop = await openShopWithAnn();
    const receipt = await erase(shop);
    expect(receipt.counts).toMatchObject({
      conversations: 2,
      messages: 4,
      notes: 2,
      visitors: 1,
      sessions: 1,
      replays: 1,
    });
    const left = await everythingOf(shop);
    expect(left).not.toMatch(/ann@example|Ann called|1234567|customer-7|parcels/i);
    expect((await shop.send('/messages', { session: shop.session })).status).toBe(401);
    const path = `/workspaces/${shop.id}/audit-log?action=person_erased`;
    const { audit_log } = (await operate('GET', path)).json();
    expect(audit_log).toEqual([
      {
        id: receipt.id,
        conversation_id: null,
        action: 'person_erased',
        actor: 'operator',
        actor_id: null,
        at: receipt.erased_at,
        details: { looked_up_by: 'email', ...receipt.counts },
      },
    ]);
    const again = await erase(shop);
    expect(Object.values(again.counts)).toEqual(Object.values(again.counts).map(() => 0));
    expect(await exportPerson(shop)).toMatchObject({
      conversations: [],
      visitors: [],
      deliveries: [],
      replays: [],
    });
  });

  test('does not affect other workspaces or other persons', async () => {
    const shop = await openShopWithAnn();
    const other = await openShopWithAnn();
    const bystander = (await query(shop.key, { query: question })).json().conversation_id;
    await erase(shop);
    expect((await exportPerson(other)).conversations).toHaveLength(2);
    const rows = await kysely
      .selectFrom('conversation')
      .select('id')
      .where('workspace_id', '=', shop.id)
      .execute();
    expect(rows).toEqual([{ id: bystander }]);
  });

  test.each([
    ['', 400, 'missing_field'],
    [`email=${ann}&user_id=7`, 422, 'ambiguous_person'],
    ['email=nobody', 422, 'invalid_email'],
    ['phone=12', 422, 'invalid_phone'],
    ['user_id=', 422, 'invalid_user_id'],
  ])('requires exactly one valid lookup field: "%s"', async (search, status, code) => {
    const shop = await server.makeWorkspace();
    for (const method of ['GET', 'DELETE'] as const) {
      const response = await operate(method, peopleOf(shop, search));
      expect([response.statusCode, response.json().code]).toEqual([status, code]);
    }
  });
});

describe('a deleted conversation', () => {
  const remove = (shop: Shop, id: string) =>
    server.app.inject({
      method: 'DELETE',
      url: `/v1/conversations/${id}`,
      headers: { authorization: `Bearer ${shop.key}` },
    });

  test('leaves no stored response, no delivery and no name of its visitor', async () => {
    const shop = await openShopWithAnn();
    await kysely
      .updateTable('visitor')
      .set({ name: 'Ann', email: ann })
      .where('workspace_id', '=', shop.id)
      .execute();
    for (const id of [shop.byApi, shop.inWidget]) expect((await remove(shop, id)).statusCode).toBe(204);
    expect(await everythingOf(shop)).not.toMatch(/ann@example|Ann called|1234567|parcels/i);
    const replayed = await server.app.inject({
      method: 'POST',
      url: '/v1/query',
      headers: { authorization: `Bearer ${shop.key}`, 'idempotency-key': 'once' },
      payload: { query: question },
    });
    expect([replayed.statusCode, replayed.json().code]).toEqual([409, 'duplicate_request_id']);
  });

  test('keeps its audit log without the reason of an escalation', async () => {
    const shop = await server.openShop();
    const asked = (await query(shop.key, { query: 'I want to talk to a person, I am Ann.' })).json();
    expect(asked.skills_fired).toEqual(['escalate_to_human']);
    await remove(shop, asked.conversation_id);
    const path = `/workspaces/${shop.id}/conversations/${asked.conversation_id}/audit-log`;
    const { audit_log } = (await operate('GET', path)).json();
    expect(audit_log.map(({ action }: { action: string }) => action)).toEqual(['deleted', 'status_changed']);
    expect(audit_log[1].details).toEqual({ from: 'open', to: 'escalated' });
  });
});

describe('a person on a channel', async () => {
  const pipeline = await openPipelineServer();

  test('leaves no thread and no event, and their next message starts a new conversation', async () => {
    await pipeline.start();
    await pipeline.addDocument('Parcels arrive within three working days.');
    await pipeline.receive({ chat: 'ann', id: 'first', text: question });
    await expect.poll(() => pipeline.platform.sent.length).toBe(1);
    const { kysely: database } = pipeline.runtime.database;
    const conversation = await pipeline.conversationIn('ann');
    await database
      .updateTable('conversation')
      .set({ customer_email: ann })
      .where('id', '=', conversation)
      .execute();
    await expect
      .poll(() => database.selectFrom('lane').select('holder').where('holder', 'is not', null).execute())
      .toEqual([]);
    const url = `/admin/v1/workspaces/${pipeline.workspace.id}/people?email=${ann}`;
    const erased = await pipeline.app.inject({
      method: 'DELETE',
      url,
      headers: { authorization: `Bearer ${pipeline.runtime.installation.adminToken}` },
    });
    expect(erased.json().counts).toMatchObject({ conversations: 1, messages: 2, threads: 1 });
    expect(await database.selectFrom('lane').selectAll().execute()).toEqual([]);
    const events = await database.selectFrom('inbound_event').select(['event_id', 'native']).execute();
    expect(events).toEqual([{ event_id: expect.any(String), native: null }]);
    await pipeline.receive(
      { chat: 'ann', id: 'first', text: question },
      { chat: 'ann', id: 'second', text: question },
    );
    await expect.poll(() => pipeline.platform.sent.length).toBe(2);
    expect(await pipeline.conversationIn('ann')).not.toBe(conversation);
  });
});
