import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createAccountFinder } from '../../../../core/channels/accounts/channel-accounts.ts';
import { runActionBatch } from '../../../../core/inbox/bulk-batch.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { type SignedIn, sameOrigin, signInPerson } from '../../../helpers/servers/sign-in-person.ts';
import { createDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { fillInbox } from '../../../helpers/stores/inbox/fill-inbox.ts';

const listSchema = z.object({
  conversations: z.array(z.looseObject({ id: z.string(), unread: z.number() })),
  pagination: z.object({ next_cursor: z.string().nullable() }),
});

describe.each(testEngines)('the desk on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : undefined;
  const server = await openTestServer({ runtime: environment === undefined ? {} : { environment } });
  const { runtime } = server;
  const workspace = await server.makeWorkspace({ name: 'Acme', plan: 'growth' });
  const { id: workspaceId, owner: ownerId } = workspace;
  const base = `/admin/v1/workspaces/${workspaceId}`;
  const ann = await signInPerson(server, { email: 'ann@acme.example', role: 'owner', ownerId });
  const ben = await signInPerson(server, { email: 'ben@acme.example', role: 'agent', ownerId });
  const stores = { ...runtime, database: runtime.database.kysely, findAccount: createAccountFinder(runtime) };

  const ask = async (conversation_id?: string) => {
    const answer = await server.query(workspace.key, { query: 'Is anybody there?', conversation_id });
    return { id: String(answer.json().conversation_id), last: String(answer.json().message_id) };
  };
  const waiting = async () => {
    const asked = await ask();
    await ann.call('PATCH', `${base}/conversations/${asked.id}`, { status: 'escalated' });
    return { ...asked, url: `${base}/conversations/${asked.id}` };
  };
  const rowOf = async (person: SignedIn, id: string) => {
    const { conversations } = listSchema.parse((await person.call('GET', `${base}/conversations`)).json());
    return conversations.find((row) => row.id === id);
  };
  const repliesIn = async (url: string) => {
    const { entries } = (await ann.call('GET', `${url}/messages`)).json();
    return entries.filter(({ message }: { message?: { role: string } }) => message?.role === 'agent').length;
  };
  const runAll = async (action: string) => {
    while (await runActionBatch(stores, action)) {}
  };

  test('of two replies to the same message one is sent, and the other is shown it', async () => {
    const { url, last } = await waiting();
    const answers = await Promise.all(
      [ann, ben].map((person) =>
        person.call('POST', `${url}/reply`, { content: 'Yes, I am', after_message_id: last }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
    const refused = answers.find(({ statusCode }) => statusCode === 409)?.json();
    const sent = answers.find(({ statusCode }) => statusCode === 201)?.json();
    expect(refused.new_messages.map(({ id }: { id: string }) => id)).toEqual([sent.id]);
    const again = { content: 'Me too', after_message_id: sent.id };
    expect((await ben.call('POST', `${url}/reply`, again)).statusCode).toBe(201);
    expect(await repliesIn(url)).toBe(2);
  });

  test('a reply is refused if the visitor has written since', async () => {
    const { id, url, last } = await waiting();
    await ask(id);
    const reply = await ann.call('POST', `${url}/reply`, { content: 'Yes', after_message_id: last });
    expect(reply.json()).toMatchObject({
      code: 'conversation_moved_on',
      new_messages: [{ role: 'user' }, {}],
    });
  });

  test('a reply that is repeated with its Idempotency-Key is stored once', async () => {
    const { url } = await waiting();
    const send = (content: string) =>
      server.app.inject({
        method: 'POST',
        url: `${url}/reply`,
        headers: { cookie: ann.cookie, ...sameOrigin, 'idempotency-key': 'one' },
        payload: { content },
      });
    const answers = await Promise.all([send('Yes'), send('Yes'), send('Yes')]);
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1);
    expect(answers.map(({ headers }) => headers['idempotency-replayed'] ?? 'no').sort()).toEqual([
      'no',
      'true',
      'true',
    ]);
    expect(await repliesIn(url)).toBe(1);
    expect((await send('No')).json().code).toBe('duplicate_request_id');
  });

  test('a sent reply takes its own draft along, assigns the conversation, and resolves it if asked to', async () => {
    const { url } = await waiting();
    await ann.call('PUT', `${url}/draft`, { content: 'Y' });
    await ben.call('PUT', `${url}/draft`, { content: 'N' });
    await ann.call('POST', `${url}/reply`, { content: 'Yes', resolve: true });
    const seen = await Promise.all([ann, ben].map(async (person) => (await person.call('GET', url)).json()));
    expect(seen.map(({ drafts }) => drafts[0]?.content)).toEqual([undefined, 'N']);
    expect(seen[0]).toMatchObject({ status: 'resolved', assignee: { name: 'ann' }, seen_position: 2 });
  });

  test('a reply takes the conversation over and changes it with its message, or not at all', async () => {
    const { id, url } = await waiting();
    await ben.call('POST', `${url}/reply`, { content: 'Mine' });
    const { person } = (await ann.call('GET', '/admin/v1/me')).json();
    const change = { tags: ['pots'], priority: 'high', assignee_id: person.id };
    await ask(id);
    const [latest] = (await ben.call('GET', `${url}/messages`)).json().entries;
    const stale = await ann.call('POST', `${url}/reply`, {
      content: 'Late',
      after_message_id: 'msg_0',
      change,
    });
    expect(stale.json().code).toBe('conversation_moved_on');
    const refused = await ann.call('POST', `${url}/reply`, {
      content: 'Late',
      change: { ...change, status: 'snoozed', snooze_until: '2020-01-01T00:00:00Z' },
    });
    expect(refused.json().code).toBe('invalid_snooze_until');
    const read = async () => (await ann.call('GET', url)).json();
    expect(await read()).toMatchObject({ assignee: { name: 'ben' }, tags: [], priority: 'normal' });
    const sent = await ann.call('POST', `${url}/reply`, {
      content: 'Now',
      after_message_id: latest.message.id,
      change,
    });
    expect(sent.statusCode).toBe(201);
    expect(await read()).toMatchObject({ assignee: { name: 'ann' }, tags: ['pots'], priority: 'high' });
    const stranger = await ann.call('POST', `${url}/reply`, {
      content: 'No',
      change: { assignee_id: 'per_x' },
    });
    expect(stranger.json().code).toBe('invalid_assignee_id');
  });

  test('the read mark is of each person, only moves forward, and ends with the next message', async () => {
    const { id, url } = await waiting();
    await ann.call('PUT', `${url}/seen`, {});
    await ann.call('PUT', `${url}/seen`, { position: 0 });
    expect([(await rowOf(ann, id))?.unread, (await rowOf(ben, id))?.unread]).toEqual([0, 1]);
    await ask(id);
    expect([(await rowOf(ann, id))?.unread, (await rowOf(ben, id))?.unread]).toEqual([1, 2]);
    await ann.call('POST', `${url}/reply`, { content: 'Yes' });
    await ben.call('PUT', `${url}/seen`, {});
    await ann.call('POST', `${url}/reply`, { content: 'Really' });
    expect((await rowOf(ben, id))?.unread).toBe(0);
    await ben.call('PUT', `${url}/seen`, { position: -1, back: true });
    expect((await rowOf(ben, id))?.unread).toBe(2);
  });

  test.each(['latest', 'waiting', 'sla_due'])(
    'pages sorted by %s show each conversation once',
    async (sort) => {
      for (let number = 0; number < 4; number += 1) await (number % 2 === 0 ? waiting() : ask());
      const shown: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query = `limit=3&sort=${sort}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
        const page = listSchema.parse((await ann.call('GET', `${base}/conversations?${query}`)).json());
        shown.push(...page.conversations.map(({ id }) => id));
        cursor = page.pagination.next_cursor;
      }
      const counts = (await ann.call('GET', `${base}/conversation-counts`)).json();
      expect(new Set(shown).size).toBe(shown.length);
      expect(shown.length).toBe(counts.views.all);
    },
  );

  test('a bulk action that its process dies in goes on where it was, and changes each once', async () => {
    const shop = await server.makeWorkspace({ name: 'Many', owner: ownerId, plan: 'growth' });
    await fillInbox(runtime.database.pool, {
      ...{ workspaceId: shop.id, conversations: 120, messages: 2, people: [] },
    });
    const url = `/admin/v1/workspaces/${shop.id}/conversation-actions`;
    const change = { add_tags: ['swept'] };
    const { id, total } = (await ann.call('POST', url, { filters: {}, change })).json();
    expect(total).toBe(120);
    await runActionBatch(stores, id);
    const failing = {
      ...stores,
      clock: {
        now: () => {
          throw new Error('killed');
        },
      },
    };
    await runActionBatch(failing, id).catch(() => {});
    expect((await ann.call('GET', `${url}/${id}`)).json()).toMatchObject({ status: 'running', done: 50 });
    await Promise.all([runAll(id), runAll(id)]);
    expect((await ann.call('GET', `${url}/${id}`)).json()).toMatchObject({ status: 'done', changed: 120 });
    const entries = await runtime.database.kysely
      .selectFrom('audit_entry')
      .select('conversation_id')
      .where('workspace_id', '=', shop.id)
      .where('action', '=', 'tags_changed')
      .execute();
    expect(entries.length).toBe(120);
  });

  test('undoing a bulk action leaves alone what somebody has changed since', async () => {
    const [one, other] = [await waiting(), await waiting()];
    const ids = [one.id, other.id];
    const url = `${base}/conversation-actions`;
    const started = await ben.call('POST', url, { ids, change: { status: 'resolved', priority: 'low' } });
    const { id } = started.json();
    await runAll(id);
    await ann.call('PATCH', one.url, { priority: 'urgent' });
    await ben.call('POST', `${url}/${id}/undo`);
    await runAll(id);
    expect((await ann.call('GET', one.url)).json()).toMatchObject({ status: 'resolved', priority: 'urgent' });
    const back = (await ann.call('GET', other.url)).json();
    expect(back).toMatchObject({ status: 'escalated', priority: 'normal' });
    expect(back.waiting_since).not.toBeNull();
  });

  test('an empty list of values is no filter', async () => {
    await waiting();
    const url = `${base}/conversation-actions`;
    const total = async (filters: object) =>
      (await ben.call('POST', url, { filters, change: { add_tags: ['seen'] } })).json().total;
    const all = await total({});
    expect(all).toBeGreaterThan(0);
    for (const field of ['status', 'channel', 'priority', 'tag'])
      expect(await total({ [field]: [] })).toBe(all);
    expect(await total({ priority: ['urgent', 'low'] })).toBeLessThan(all);
  });

  test('only owners delete many conversations, and can take it back before it starts', async () => {
    const { id, url } = await waiting();
    const body = { ids: [id], change: { delete: true } };
    expect((await ben.call('POST', `${base}/conversation-actions`, body)).json().code).toBe(
      'permission_denied',
    );
    const started = (await ann.call('POST', `${base}/conversation-actions`, body)).json();
    expect(await runActionBatch(stores, started.id)).toBe(false);
    await ann.call('POST', `${base}/conversation-actions/${started.id}/undo`);
    const later = { ...stores, clock: { now: () => new Date(Date.now() + 60_000) } };
    await runActionBatch(later, started.id);
    expect((await ann.call('GET', url)).statusCode).toBe(200);
    const again = (await ann.call('POST', `${base}/conversation-actions`, body)).json();
    await runActionBatch(later, again.id);
    expect((await ann.call('GET', url)).json().code).toBe('conversation_not_found');
  });

  test('a suggestion stores and counts nothing, and says if nothing is found', async () => {
    const asked = await server.query(workspace.key, { query: 'How tall is the Eiffel Tower?' });
    const url = `${base}/conversations/${asked.json().conversation_id}`;
    const before = (await ann.call('GET', `${url}/messages`)).json();
    const usage = (await ann.call('GET', `${base}/usage`)).body;
    expect((await ann.call('POST', `${url}/suggestion`)).json()).toMatchObject({ text: null, sources: [] });
    expect((await ann.call('GET', `${url}/messages`)).json()).toEqual(before);
    expect((await ann.call('GET', `${base}/usage`)).body).toBe(usage);
  });
});
