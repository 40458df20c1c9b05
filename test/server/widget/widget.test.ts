import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { VisitorRateLimit } from '../../../core/limits/visitor-rate.ts';
import { heldWriter } from '../../helpers/models/held-writer.ts';
import { openWidgetServer } from '../../helpers/servers/open-widget-server.ts';
import { readEvents, textOf } from '../../helpers/servers/questions/read-events.ts';

const question = 'How many working days until parcels arrive?';
const server = await openWidgetServer();
const { runtime, operate } = server;

const fields = z.record(z.string(), z.unknown());

async function codeOf(response: Response): Promise<unknown> {
  return [response.status, fields.parse(await response.json()).code];
}

describe('a visitor of a widget', () => {
  test('receives an answer word by word, and finds it again with the same session', async () => {
    const shop = await server.openShop();
    const session = await shop.openSession();
    const frames = await shop.say(session, question);
    expect(frames.map(({ stage }) => stage).filter(Boolean)).toEqual([
      'understanding',
      'searching',
      'reading',
      'writing',
    ]);
    expect(textOf(frames)).toContain('three working days');
    const last = frames.at(-1);
    expect(last).toMatchObject({ done: true, confidence: expect.stringMatching(/high|medium/) });
    const { messages, status, answering, unread } = await shop.history(session);
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'user']);
    expect(messages[0]).toMatchObject({ id: last?.message_id, author: null, feedback: null, cut: false });
    expect([status, answering, unread]).toEqual(['open', false, 0]);
  });

  test('stays in one conversation of the channel widget, and each question counts as a message', async () => {
    const shop = await server.openShop();
    const session = await shop.openSession();
    const [first, second] = [await shop.say(session, question), await shop.say(session, question)];
    expect(first.at(-1)?.conversation_id).toBe(second.at(-1)?.conversation_id);
    const row = await runtime.database.kysely
      .selectFrom('conversation')
      .select(['channel', 'message_count'])
      .where('workspace_id', '=', shop.id)
      .execute();
    expect(row).toEqual([{ channel: 'widget', message_count: 4 }]);
    const used = await runtime.database.kysely
      .selectFrom('owner_usage')
      .select('messages')
      .where('owner_id', '=', shop.owner)
      .executeTakeFirstOrThrow();
    expect(used.messages).toBe(2);
  });

  test('is told that the quota is exhausted', async () => {
    const shop = await server.openShop();
    const month = new Date(new Date().toISOString().slice(0, 8).concat('01'));
    await runtime.database.kysely
      .insertInto('owner_usage')
      .values({ owner_id: shop.owner, month, messages: 10_000 })
      .execute();
    const session = await shop.openSession();
    const refused = await shop.send('/ask', { method: 'POST', session, body: { query: question } });
    expect(await codeOf(refused)).toEqual([429, 'quota_exhausted']);
  });

  test('rates an answer', async () => {
    const shop = await server.openShop();
    const session = await shop.openSession();
    const id = (await shop.say(session, question)).at(-1)?.message_id;
    const body = { message_id: id, value: 'down', comment: 'Too short.' };
    expect((await shop.send('/feedback', { method: 'POST', session, body })).status).toBe(204);
    expect((await shop.history(session)).messages[0]?.feedback).toBe('down');
  });

  test('gets an error for an empty or too long message', async () => {
    const shop = await server.openShop();
    const session = await shop.openSession();
    const ask = (query: string) => shop.send('/ask', { method: 'POST', session, body: { query } });
    expect(await codeOf(await ask(' '))).toEqual([400, 'missing_field']);
    expect(await codeOf(await ask('a'.repeat(4_001)))).toEqual([400, 'message_too_long']);
  });
});

describe('a session', () => {
  test('is stored as a hash, and ends when it is closed', async () => {
    const shop = await server.openShop();
    const session = await shop.openSession();
    const rows = await runtime.database.kysely.selectFrom('visitor_session').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(session);
    expect((await shop.send('/session', { method: 'DELETE', session })).status).toBe(204);
    expect(await codeOf(await shop.send('/messages', { session }))).toEqual([401, 'invalid_session']);
  });

  test('ends on every device if the operator ends it, and so do its streams', async () => {
    const shop = await server.openShop();
    const hash = createHmac('sha256', shop.identitySecret).update('u-1').digest('hex');
    const proven = { user: { user_id: 'u-1', hash } };
    const [here, there, other] = [
      await shop.openSession(proven),
      await shop.openSession(proven),
      await shop.openSession(),
    ];
    const id = (await shop.say(here, question)).at(-1)?.conversation_id;
    const { body } = await shop.send('/events', { session: there });
    const news = readEvents(body ?? (async function* () {})());
    await news.next();
    const end = (workspace: string) =>
      operate('DELETE', `/workspaces/${workspace}/conversations/${id}/sessions`);
    const foreign = await server.makeWorkspace();
    expect((await end(foreign.id)).json()).toMatchObject({ code: 'conversation_not_found' });
    expect((await end(shop.id)).json()).toEqual({ ended: 2 });
    expect((await news.next()).done).toBe(true);
    for (const session of [here, there])
      expect(await codeOf(await shop.send('/messages', { session }))).toEqual([401, 'invalid_session']);
    expect((await shop.send('/messages', { session: other })).status).toBe(200);
    expect((await end(shop.id)).json()).toEqual({ ended: 0 });
    const log = await operate('GET', `/workspaces/${shop.id}/conversations/${id}/audit-log`);
    expect(log.json().audit_log).toMatchObject([
      { action: 'sessions_ended', actor: 'operator', details: { sessions: 2 } },
    ]);
    expect((await shop.history(await shop.openSession(proven))).messages).toHaveLength(2);
  });

  test('is not ended through a conversation of an integrator who named its visitor', async () => {
    const shop = await server.openShop();
    const session = await shop.openSession();
    const { id: session_id } = await runtime.database.kysely
      .selectFrom('visitor')
      .select('id')
      .where('workspace_id', '=', shop.id)
      .executeTakeFirstOrThrow();
    const asked = await server.query(shop.key, { query: question, session_id });
    const path = `/workspaces/${shop.id}/conversations/${asked.json().conversation_id}/sessions`;
    expect((await operate('DELETE', path)).json()).toEqual({ ended: 0 });
    expect((await shop.send('/messages', { session })).status).toBe(200);
  });

  test("gives no access to another visitor's messages", async () => {
    const [shop, other] = [await server.openShop(), await server.openShop()];
    const [mine, his] = [await shop.openSession(), await shop.openSession()];
    const last = (await shop.say(his, question)).at(-1);
    expect((await shop.history(mine)).messages).toEqual([]);
    const body = { message_id: last?.message_id, value: 'up' };
    expect(await codeOf(await shop.send('/feedback', { method: 'POST', session: mine, body }))).toEqual([
      404,
      'message_not_found',
    ]);
    expect(await codeOf(await other.send('/messages', { session: his }))).toEqual([401, 'invalid_session']);
    const page = await (await shop.send('/messages?limit=1', { session: his })).json();
    const { next_cursor } = z
      .object({ pagination: z.object({ next_cursor: z.string() }) })
      .parse(page).pagination;
    expect(await codeOf(await shop.send(`/messages?cursor=${next_cursor}`, { session: mine }))).toEqual([
      422,
      'invalid_cursor',
    ]);
  });

  test('gives no access to a conversation of an integrator who used it as a session id', async () => {
    const shop = await server.openShop();
    const session = await shop.openSession();
    const { id } = await runtime.database.kysely
      .selectFrom('visitor')
      .select('id')
      .where('workspace_id', '=', shop.id)
      .executeTakeFirstOrThrow();
    await server.query(shop.key, { query: question, session_id: id });
    expect((await shop.history(session)).messages).toEqual([]);
  });

  test('is required for everything except the look', async () => {
    const shop = await server.openShop();
    expect(await codeOf(await shop.send('/messages'))).toEqual([401, 'missing_auth']);
    expect(await codeOf(await shop.send('/messages', { session: 'guessed' }))).toEqual([
      401,
      'invalid_session',
    ]);
    expect((await shop.send('/config')).status).toBe(200);
  });
});

describe('a verified visitor', () => {
  async function tokenFor(secret: string, sub: string) {
    const claims = new SignJWT({ name: 'Grace', email: 'grace@customer.example' });
    return claims
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(sub)
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(secret));
  }

  test('keeps earlier messages, and finds them on another device', async () => {
    const shop = await server.openShop();
    const before = await shop.openSession();
    await shop.say(before, question);
    const verification_token = await tokenFor(shop.identitySecret, 'u-1');
    const here = await shop.openSession({ verification_token, previous_session: before });
    expect(await codeOf(await shop.send('/messages', { session: before }))).toEqual([401, 'invalid_session']);
    const hash = createHmac('sha256', shop.identitySecret).update('u-1').digest('hex');
    const there = await shop.openSession({ user: { user_id: 'u-1', hash } });
    for (const session of [here, there]) expect((await shop.history(session)).messages).toHaveLength(2);
    await shop.say(there, question);
    expect((await shop.history(here)).messages).toHaveLength(4);
    const rows = await runtime.database.kysely
      .selectFrom('conversation')
      .select(['customer_user_id', 'customer_email'])
      .where('workspace_id', '=', shop.id)
      .execute();
    expect(rows).toEqual([{ customer_user_id: 'u-1', customer_email: 'grace@customer.example' }]);
  });

  test("cannot take over another visitor's session without their secret", async () => {
    const shop = await server.openShop();
    const first = await shop.openSession({
      verification_token: await tokenFor(shop.identitySecret, 'u-1'),
    });
    await shop.say(first, question);
    const second = await shop.openSession({
      verification_token: await tokenFor(shop.identitySecret, 'u-2'),
      previous_session: first,
    });
    expect((await shop.history(second)).messages).toEqual([]);
    const forged = { verification_token: await tokenFor('another secret of nobody here', 'u-1') };
    const refused = await shop.send('/session', { method: 'POST', body: forged });
    expect(await codeOf(refused)).toEqual([403, 'verification_required']);
  });

  test('is the only one to be answered if the workspace requires it', async () => {
    const shop = await server.openShop({}, { require_identity_verification: true });
    const refused = await shop.send('/session', { method: 'POST', body: {} });
    expect(await codeOf(refused)).toEqual([403, 'verification_required']);
    const verification_token = await tokenFor(shop.identitySecret, 'u-1');
    const frames = await shop.say(await shop.openSession({ verification_token }), question);
    expect(textOf(frames)).toContain('three working days');
  });
});

describe('an agent', () => {
  test("is requested, replies live by name, and receives the visitor's messages", async () => {
    const shop = await server.openShop();
    const session = await shop.openSession();
    const asked = (await shop.say(session, 'I would like to talk to a person.', '/human')).at(-1);
    expect(asked).toMatchObject({ done: true, skills_fired: ['escalate_to_human'] });
    const waiting = await shop.history(session);
    expect(waiting.status).toBe('waiting');
    expect(waiting.messages.map(({ handover }) => handover)).toEqual([true, false]);
    const ended = new AbortController();
    const { body, headers } = await shop.send('/events', { session, signal: ended.signal });
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('cache-control')).toContain('no-transform');
    const news = readEvents(body ?? (async function* () {})());
    expect((await news.next()).value).toMatchObject({ event: 'state', status: 'waiting' });
    const replied = await shop.reply(asked?.conversation_id, 'Hello, this is Ada.');
    expect(replied.json().delivery).toBeNull();
    expect((await news.next()).value).toMatchObject({
      event: 'message',
      message: { role: 'agent', content: 'Hello, this is Ada.', author: 'Ada Lovelace' },
    });
    expect((await news.next()).value).toMatchObject({
      event: 'state',
      status: 'person',
      agent: 'Ada Lovelace',
      unread: 1,
    });
    ended.abort();
    expect((await shop.send('/read', { method: 'POST', session })).status).toBe(204);
    expect((await shop.history(session)).unread).toBe(0);
    expect(await shop.say(session, 'Thank you, Ada.')).toMatchObject([{ done: true, kept: true }]);
    const { messages } = await shop.history(session);
    expect(messages[0]).toMatchObject({ role: 'user', content: 'Thank you, Ada.' });
    expect(JSON.stringify(messages)).not.toContain('shop.example');
  });

  test('a person who is no member is shown by the name of the workspace, never by their address', async () => {
    const shop = await server.openShop();
    const session = await shop.openSession();
    const asked = (await shop.say(session, 'I would like to talk to a person.', '/human')).at(-1);
    const path = `/workspaces/${shop.id}/conversations/${asked?.conversation_id}/reply`;
    const stated = { content: 'Hello.', author_email: 'joe.private@shop.example' };
    expect((await server.operate('POST', path, stated)).statusCode).toBe(201);
    const history = await shop.history(session);
    expect(history).toMatchObject({ status: 'person', agent: 'Test' });
    expect(history.messages[0]).toMatchObject({ role: 'agent', author: 'Test' });
    expect(JSON.stringify(history)).not.toMatch(/private/i);
  });

  test('reaches a visitor by the address that they left', async () => {
    const shop = await server.openShop();
    const session = await shop.openSession();
    await shop.say(session, question);
    const body = { email: 'lin@customer.example', name: 'Lin' };
    expect((await shop.send('/contact', { method: 'POST', session, body })).status).toBe(204);
    const row = await runtime.database.kysely
      .selectFrom('conversation')
      .select(['customer_email', 'customer_name'])
      .where('workspace_id', '=', shop.id)
      .executeTakeFirst();
    expect(row).toEqual({ customer_email: 'lin@customer.example', customer_name: 'Lin' });
  });
});

describe('a page', () => {
  test.each([
    [['shop.example'], 'https://shop.example', true],
    [['shop.example'], 'https://www.shop.example', false],
    [['*.shop.example'], 'https://www.shop.example:8443', true],
    [['*.shop.example'], 'https://evilshop.example', false],
    [['*.shop.example'], 'null', false],
    [[], 'http://localhost:3000', true],
    [[], 'https://shop.example', false],
    [['shop.example'], 'http://localhost:3000', false],
  ])('with the allowed domains %j: %s, %s', async (allowed_domains, origin, isAllowed) => {
    const shop = await server.openShop({ allowed_domains });
    const answered = await shop.send('/config', { origin });
    expect(answered.status).toBe(isAllowed ? 200 : 403);
    expect(answered.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answered.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answered.headers.get('vary')).toContain('Origin');
    const asked = await shop.send('/ask', { method: 'OPTIONS', origin });
    expect(asked.status).toBe(isAllowed ? 204 : 403);
  });

  test('of a domain of the workspace may call if the widget has no domains', async () => {
    const shop = await server.openShop({}, { allowed_domains: ['shop.example'] });
    expect((await shop.send('/config', { origin: 'https://shop.example' })).status).toBe(200);
  });

  test('gets the look in its language', async () => {
    const shop = await server.openShop({ title: 'Töpferei', colour: '#7a3e9d', suggestions: ['Wie lange?'] });
    const look = fields.parse(await (await shop.send('/config?lang=xx,de-AT')).json());
    expect(look).toMatchObject({
      title: 'Töpferei',
      accent: { colour: '#7a3e9d', text: '#ffffff' },
      suggestions: ['Wie lange?'],
      language: 'de',
      direction: 'ltr',
      texts: { send: 'Senden' },
    });
    expect(await (await shop.send('/config?lang=ar')).json()).toMatchObject({ direction: 'rtl' });
    const script = await fetch(`${server.address}${look.script}`);
    expect([script.status, script.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
  });

  test('finds nothing if the widget does not exist or is disabled', async () => {
    const shop = await server.openShop();
    await operate('PATCH', `/workspaces/${shop.id}/channels/${shop.channelId}`, { enabled: false });
    expect(await codeOf(await shop.send('/config'))).toEqual([404, 'channel_not_found']);
    expect((await fetch(`${server.address}/widget/pub_unknown/config`)).status).toBe(404);
  });
});

test('two concurrent questions start one conversation', async () => {
  const writer = heldWriter();
  const held = await openWidgetServer({ writer });
  const shop = await held.openShop();
  const session = await shop.openSession();
  const ask = () => shop.send('/ask', { method: 'POST', session, body: { query: question } });
  const both = await Promise.all([ask(), ask()]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 429]);
  const body = both.find(({ ok }) => ok)?.body;
  for await (const frame of readEvents(body ?? (async function* () {})())) if (frame.token) writer.letGo();
  expect(writer.tasks).toHaveLength(1);
  const { messages } = await shop.history(session);
  expect(messages).toHaveLength(2);
});

test('a page that is lost during an answer finds it complete afterwards', async () => {
  const writer = heldWriter();
  const held = await openWidgetServer({ writer });
  const shop = await held.openShop();
  const session = await shop.openSession();
  const gone = new AbortController();
  const { body } = await shop.send('/ask', {
    method: 'POST',
    session,
    body: { query: question },
    signal: gone.signal,
  });
  const frames = readEvents(body ?? (async function* () {})());
  for await (const frame of frames) if (frame.token) break;
  gone.abort();
  expect((await shop.history(session)).answering).toBe(true);
  writer.letGo();
  await writer.closed;
  await expect.poll(async () => (await shop.history(session)).answering).toBe(false);
  const { messages } = await shop.history(session);
  expect(messages[0]).toMatchObject({ role: 'assistant', content: 'Within three days.', cut: false });
});

test('rate limits apply by visitor and by IP address, with Retry-After', async () => {
  const rates = { asksOfVisitor: 2, asksOfAddress: 4, readsOfAddress: 100 };
  const strict = await openWidgetServer({
    alter: (opened) => ({
      visitorRate: new VisitorRateLimit({ ...opened, database: opened.database.kysely, rates }),
    }),
  });
  const shop = await strict.openShop();
  const session = await shop.openSession();
  await shop.say(session, question);
  await shop.say(session, question);
  const refused = await shop.send('/ask', { method: 'POST', session, body: { query: question } });
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await codeOf(refused)).toEqual([429, 'rate_limit_minute']);
  const next = await shop.send('/session', { method: 'POST', body: {} });
  expect(await codeOf(next)).toEqual([429, 'rate_limit_minute']);
});
