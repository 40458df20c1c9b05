import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { storeEditedMessage } from '../../../../core/conversations/messages/edited-messages.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const server = await openTestServer();
const { runtime, operate } = server;
const { kysely } = runtime.database;
const workspace = await server.makeWorkspace({ settings: { audiences: ['pro'] } });
const path = `/workspaces/${workspace.id}/answers`;
const returns = await server.addDocument(workspace.id, '# Returns\n\nYou can return a box within 30 days.');
await server.addDocument(workspace.id, '# Trade\n\nTrade customers can return a pallet within 90 days.', [
  'pro',
]);

const ask = async (query: string, more: object = {}) =>
  (await server.query(workspace.key, { query, ...more })).json();
let asked: { message_id: string; query_id: string; conversation_id: string };
beforeAll(async () => {
  asked = await ask('Within how many days can I return a box?');
});

describe('an answer', () => {
  test('is explained by its exchange, decision, trace and passages, under its query_id too', async () => {
    const found = await operate('GET', `${path}/${asked.query_id}`);
    expect(found.json()).toMatchObject({
      question: 'Within how many days can I return a box?',
      conversation: { id: asked.conversation_id, channel: 'api' },
      exchange: [{ role: 'user' }, { role: 'assistant', id: asked.message_id }],
      decision: { act: 'quote' },
      trace: { path: 'quoted', ms: { searching: expect.any(Number) } },
      changed_settings: [],
      review: null,
    });
    expect(found.json().passages[0]).toMatchObject({
      document_id: returns.id,
      title: 'Returns',
      current: true,
      use: 'used',
      evidence: { coverage: 1 },
    });
    const { answers } = (await operate('GET', `${path}?confidence=high&limit=5`)).json();
    expect(answers[0]).toMatchObject({ message_id: asked.message_id, path: 'quoted', act: 'quote' });
  });

  test('is of its own workspace alone', async () => {
    const other = await server.makeWorkspace();
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['PUT', '/review', { verdict: 'right' }],
      ['POST', '/replay', {}],
    ] as const) {
      const url = `/workspaces/${other.id}/answers/${asked.message_id}${rest}`;
      expect((await operate(method, url, body)).json().code).toBe('message_not_found');
    }
    expect((await operate('GET', `/workspaces/${other.id}/answers`)).json().answers).toEqual([]);
  });

  test('names the passages that are gone and the settings that changed since', async () => {
    const lost = await server.addDocument(
      workspace.id,
      '# Lighthouse\n\nThe lighthouse of Rubjerg stands on a dune.',
    );
    const late = await ask('Where is the lighthouse of Rubjerg?');
    await runtime.documents.delete(workspace.id, lost.id, { actor: { id: null, name: 'Test' } });
    await runtime.workspaces.update(workspace.id, { settings: { strictness: 'fallback' } });
    const { passages, changed_settings } = (await operate('GET', `${path}/${late.message_id}`)).json();
    expect(passages[0]).toMatchObject({ document_id: lost.id, title: 'Lighthouse', current: false });
    expect(changed_settings).toEqual(['strictness']);
    await runtime.workspaces.update(workspace.id, { settings: { strictness: null } });
  });

  test('loses its trace when the visitor edits an earlier message', async () => {
    const { message_id, conversation_id } = await ask('How long can I return a box?');
    const [question] = await kysely
      .selectFrom('message')
      .selectAll()
      .where('conversation_id', '=', conversation_id)
      .where('role', '=', 'user')
      .execute();
    if (question === undefined) expect.fail('no question');
    const edited = { content: 'Hm.', metadata: {}, isGone: false, now: runtime.clock.now() };
    await kysely.transaction().execute((transaction) => storeEditedMessage(transaction, question, edited));
    const { trace, decision } = (await operate('GET', `${path}/${message_id}`)).json();
    expect([trace, decision]).toEqual([null, null]);
  });
});

describe('a replay', () => {
  const replay = async (id: string, body: object = {}) => operate('POST', `${path}/${id}/replay`, body);

  test("answers with today's documents, and names the passages that moved", async () => {
    const { message_id } = await ask('Is the shop in Aarhus open on Sundays?');
    const opened = await server.addDocument(
      workspace.id,
      '# Aarhus\n\nThe shop in Aarhus is open on Sundays from noon.',
    );
    const { before, after, moved } = (await replay(message_id)).json();
    expect([before.trace.path, after.tier]).toEqual(['fallback', 'answer']);
    expect(after.answer).toContain('from noon');
    expect(moved[0]).toMatchObject({ title: 'Aarhus', before: null, after: { rank: 1 } });
    await runtime.documents.delete(workspace.id, opened.id, { actor: { id: null, name: 'Test' } });
  });

  test('asks as another audience, and not as one that the workspace lacks', async () => {
    const { message_id } = await ask('Within how many days can trade customers return a pallet?');
    const titles = async (body: object) =>
      (await replay(message_id, body)).json().after.passages.map(({ title }: { title: string }) => title);
    expect(await titles({})).not.toContain('Trade');
    expect(await titles({ audience: ['pro'] })).toContain('Trade');
    expect((await replay(message_id, { audience: ['vip'] })).json().code).toBe('invalid_audience');
    expect((await replay(message_id, { model: 'openai:gpt' })).json().code).toBe('unknown_model');
  });

  test('remembers the exchanges before the question, and none after it', async () => {
    const { conversation_id } = await ask('Can I return a box?');
    const { message_id } = await ask('and how long?', { conversation_id });
    await ask('Do you sell lamps?', { conversation_id });
    const { after } = (await replay(message_id)).json();
    expect(after.decision.questions[0].searched).toContain('box');
    expect(after.decision.questions[0].searched).not.toContain('lamp');
  });

  test('stores nothing, counts nothing and fires nothing', async () => {
    const { message_id } = await ask('I want to talk to a human');
    const before = await countRows();
    expect((await replay(message_id)).statusCode).toBe(200);
    expect((await replay(asked.message_id, { strictness: 'fallback' })).statusCode).toBe(200);
    expect(await countRows()).toEqual(before);
  });
});

/** The rows of every table, and the count of messages. */
async function countRows() {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1
  `.execute(kysely);
  const counted: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await sql`select count(*)::int as count from ${sql.table(name)}`.execute(kysely);
    counted[name] = rows[0];
  }
  const usage = await kysely.selectFrom('owner_usage').selectAll().execute();
  return { counted, usage };
}

describe('a review', () => {
  const url = () => `/admin/v1${path}/${asked.message_id}/review`;
  const member = async (email: string, role: 'agent' | 'viewer') =>
    signInPerson(server, { email, role, ownerId: workspace.owner });

  test('names the person and the time, and shows in the log', async () => {
    const ann = await member('ann@shop.example', 'agent');
    const { review } = (await ann.call('PUT', url(), { verdict: 'wrong' })).json();
    expect(review).toMatchObject({ verdict: 'wrong', reviewer: 'ann', at: expect.any(String) });
    const { answers } = (await operate('GET', `${path}?reviewed=wrong`)).json();
    expect(answers.map(({ message_id }: { message_id: string }) => message_id)).toEqual([asked.message_id]);
  });

  test('403: for people who may only read; 422: for a verdict that there is not', async () => {
    const vic = await member('vic@shop.example', 'viewer');
    expect((await vic.call('PUT', url(), { verdict: 'right' })).statusCode).toBe(403);
    expect((await vic.call('GET', `/admin/v1${path}/${asked.message_id}`)).statusCode).toBe(200);
    const response = await operate('PUT', `${path}/${asked.message_id}/review`, { verdict: 'fine' });
    expect(response.json().code).toBe('invalid_verdict');
  });
});
