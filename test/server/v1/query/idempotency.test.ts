import { describe, expect, test } from 'vitest';
import { QuestionHold } from '../../../helpers/servers/questions/question-hold.ts';
import { sendQuery } from '../../../helpers/servers/questions/send-query.ts';
import { testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { leaveMessages, ownerMessages } from '../../../helpers/stores/owner-messages.ts';
import { openTestServers } from '../../../helpers/stores/test-servers.ts';

const question = { query: 'How long may I send it back?', metadata: { page_url: '/a', step: 1 } };

describe.each(testEngines)('Idempotency-Key on %s', async (engine) => {
  const hold = new QuestionHold();
  const [one, other] = await openTestServers(engine, {
    alter: ({ embedder }) => ({ embedder: hold.around(embedder) }),
  });
  const { runtime, makeWorkspace } = one;
  const send = (key: string, idempotencyKey: string, body: object = question, server = one) =>
    sendQuery(server.app, { key, idempotencyKey, body });
  const storedMessages = async (workspaceId: string) =>
    (
      await runtime.database.kysely
        .selectFrom('message')
        .select('id')
        .where('workspace_id', '=', workspaceId)
        .execute()
    ).length;

  test('a repeated request returns the identical response, marked as replayed, and does not count', async () => {
    const { id, owner, key } = await makeWorkspace();
    const first = await send(key, 'retry-1');
    expect([first.statusCode, first.headers['idempotency-replayed']]).toEqual([200, undefined]);
    for (const server of [one, other]) {
      const again = await send(key, 'retry-1', question, server);
      expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
      expect(again.body).toBe(first.body);
      expect(again.headers['content-type']).toBe(first.headers['content-type']);
      expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    }
    expect(await ownerMessages(runtime, owner)).toBe(1);
    expect(await storedMessages(id)).toBe(2);
  });

  test('a body that is formatted differently is the same body', async () => {
    const { key } = await makeWorkspace();
    const first = await send(key, 'retry-1');
    const again = await send(key, 'retry-1', {
      metadata: { step: 1, page_url: '/a' },
      query: question.query,
    });
    expect(again.body).toBe(first.body);
  });

  test('a repetition works after the quota is exhausted, also by the request itself', async () => {
    const { owner, key } = await makeWorkspace();
    await leaveMessages(runtime, owner, 1);
    expect((await send(key, 'retry-1')).statusCode).toBe(200);
    expect((await send(key, 'retry-2')).json().code).toBe('quota_exhausted');
    expect((await send(key, 'retry-1')).headers['idempotency-replayed']).toBe('true');
    expect(await ownerMessages(runtime, owner)).toBe(2_000);
  });

  test('fifty concurrent retries at two servers produce one answer and count once, even as the last message', async () => {
    const { id, owner, key } = await makeWorkspace();
    await leaveMessages(runtime, owner, 1);
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => send(key, 'race', question, index % 2 ? one : other)),
    );
    const answered = responses.filter(({ statusCode }) => statusCode === 200);
    expect(answered.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    expect(new Set(answered.map(({ body }) => body)).size).toBe(1);
    const refused = responses.filter(({ statusCode }) => statusCode !== 200);
    expect(new Set(refused.map((response) => response.json().code))).toEqual(
      new Set(refused.length === 0 ? [] : ['duplicate_request_id']),
    );
    expect(await storedMessages(id)).toBe(2);
    expect(await ownerMessages(runtime, owner)).toBe(2_000);
  });

  test('a failed first request releases its key and does not count', async () => {
    const { owner, key } = await makeWorkspace();
    const missing = { ...question, conversation_id: 'conv_unknown' };
    expect((await send(key, 'retry-1', missing)).statusCode).toBe(404);
    expect(await ownerMessages(runtime, owner)).toBe(0);
    expect((await send(key, 'retry-1')).statusCode).toBe(200);
    expect((await send(key, 'retry-1', missing)).json().code).toBe('duplicate_request_id');
  });

  test('a request that is rejected for its quota releases its key', async () => {
    const { owner, key } = await makeWorkspace();
    await leaveMessages(runtime, owner, 0);
    expect((await send(key, 'retry-1')).json().code).toBe('quota_exhausted');
    await leaveMessages(runtime, owner, 1);
    expect((await send(key, 'retry-1')).statusCode).toBe(200);
  });

  test('a key is scoped to the API key that used it', async () => {
    const { id, key } = await makeWorkspace();
    const second = await runtime.apiKeys.create(id, { name: 'Second' });
    const first = await send(key, 'retry-1');
    const foreign = await send(second.value, 'retry-1', { query: 'Something else?' });
    expect([foreign.statusCode, foreign.headers['idempotency-replayed']]).toEqual([200, undefined]);
    expect(foreign.json().message_id).not.toBe(first.json().message_id);
  });

  test('a request in flight is a duplicate at both servers, and afterwards a repetition', async () => {
    const { id, owner, key } = await makeWorkspace();
    hold.begin();
    const first = send(key, 'retry-1');
    await hold.arrived(1);
    for (const server of [one, other]) {
      const response = await send(key, 'retry-1', question, server);
      expect([response.statusCode, response.json().code]).toEqual([409, 'duplicate_request_id']);
    }
    hold.end();
    const answer = await first;
    expect((await send(key, 'retry-1', question, other)).body).toBe(answer.body);
    expect(await storedMessages(id)).toBe(2);
    expect(await ownerMessages(runtime, owner)).toBe(1);
  });

  test('a repetition counts against the rate limits of its key', async () => {
    const { id } = await makeWorkspace();
    const { value: key } = await runtime.apiKeys.create(id, { name: 'Slow', rateLimitMinute: 2 });
    await send(key, 'retry-1');
    expect((await send(key, 'retry-1')).headers).toMatchObject({
      'idempotency-replayed': 'true',
      'x-ratelimit-remaining-minute': '0',
    });
    expect((await send(key, 'retry-1')).json().code).toBe('rate_limit_minute');
  });

  test.each(['x', 'x'.repeat(255), 'a b', 'ü', '"quoted"'])('accepts %j as a key', async (idempotencyKey) => {
    const { key } = await makeWorkspace();
    const first = await send(key, idempotencyKey);
    expect((await send(key, idempotencyKey)).body).toBe(first.body);
  });

  test.each(['', 'x'.repeat(256)])('rejects %j as a key', async (idempotencyKey) => {
    const { owner, key } = await makeWorkspace();
    const response = await send(key, idempotencyKey);
    expect([response.statusCode, response.json().code]).toEqual([422, 'invalid_idempotency_key']);
    expect(await ownerMessages(runtime, owner)).toBe(0);
  });
});
