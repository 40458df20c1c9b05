import type { Kysely } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { openTestServer } from '../helpers/servers/open-test-server.ts';
import { signInPerson } from '../helpers/servers/sign-in-person.ts';
import { countLockWaits } from '../helpers/stores/databases/count-lock-waits.ts';
import { createDatabase, testEngines } from '../helpers/stores/databases/test-databases.ts';

// The embedded database runs one transaction at a time, so nothing is deleted in the middle of another one there.
describe.runIf(testEngines.includes('postgres'))('what is deleted while a request uses it', async () => {
  const server = await openTestServer({ runtime: { environment: { DATABASE_URL: await createDatabase() } } });
  const { runtime, operate, query, makeWorkspace } = server;
  const { id: workspaceId, owner: ownerId, key } = await makeWorkspace({ plan: 'growth' });
  const ann = await signInPerson(server, { email: 'ann@acme.example', role: 'owner', ownerId });
  const conversations = `/admin/v1/workspaces/${workspaceId}/conversations`;
  const hooks = `/workspaces/${workspaceId}/webhooks`;

  const ask = async () => (await query(key, { query: 'Is anybody there?' })).json().conversation_id;
  const addHook = async () =>
    (await operate('POST', hooks, { url: 'https://hooks.example/parley', events: ['*'] })).json().id;

  /** Sends the request while the deletion of a row is not committed yet, and commits it when the request waits for it. */
  async function answerWhileDeleted<Answer>(
    table: 'conversation' | 'webhook',
    id: string,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    const { kysely, pool } = runtime.database;
    const started = await kysely.transaction().execute(async (transaction: Kysely<Tables>) => {
      await transaction.deleteFrom(table).where('id', '=', id).execute();
      const answer = send();
      await vi.waitUntil(async () => (await countLockWaits(pool)) > 0);
      return { answer };
    });
    return started.answer;
  }

  test.each([
    ['a note', 'POST', 'notes', { content: 'Called back' }],
    ['a draft', 'PUT', 'draft', { content: 'Dear …' }],
    ['what a person has seen', 'PUT', 'seen', {}],
  ] as const)('404 for %s of a deleted conversation', async (_what, method, path, body) => {
    const id = await ask();
    const answer = await answerWhileDeleted('conversation', id, () =>
      ann.call(method, `${conversations}/${id}/${path}`, body),
    );
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'conversation_not_found']);
  });

  test('404 for the test of a deleted webhook', async () => {
    const id = await addHook();
    const answer = await answerWhileDeleted('webhook', id, () => operate('POST', `${hooks}/${id}/test`));
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'webhook_not_found']);
  });

  test('a question is answered although a webhook that receives it is deleted', async () => {
    const id = await addHook();
    const answer = await answerWhileDeleted('webhook', id, () => query(key, { query: 'Who hears this?' }));
    expect(answer.statusCode).toBe(200);
  });

  test('404 for the deletion of a note whose conversation is deleted, without a deadlock', async () => {
    const id = await ask();
    const note = (await ann.call('POST', `${conversations}/${id}/notes`, { content: 'Mine' })).json().id;
    const { kysely, pool } = runtime.database;
    const started = await kysely.transaction().execute(async (transaction) => {
      await transaction.selectFrom('conversation').select('id').where('id', '=', id).forUpdate().execute();
      const answer = ann.call('DELETE', `${conversations}/${id}/notes/${note}`);
      await vi.waitUntil(async () => (await countLockWaits(pool)) > 0);
      await transaction.deleteFrom('conversation').where('id', '=', id).execute();
      return { answer };
    });
    const answer = await started.answer;
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'note_not_found']);
  });
});
