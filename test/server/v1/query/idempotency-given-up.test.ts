import { expect, test } from 'vitest';
import { Conversations } from '../../../../core/conversations/conversations.ts';
import { IdempotentRequests } from '../../../../core/limits/idempotent-requests.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { QuestionHold } from '../../../helpers/servers/questions/question-hold.ts';
import { sendQuery } from '../../../helpers/servers/questions/send-query.ts';
import { ownerMessages } from '../../../helpers/stores/owner-messages.ts';

const hold = new QuestionHold();
const watch = { afterStored: async () => {}, beforeRelease: () => {} };

class WatchedConversations extends Conversations {
  override async storeTurn(...given: Parameters<Conversations['storeTurn']>) {
    const stored = await super.storeTurn(...given);
    await watch.afterStored();
    return stored;
  }
}

class WatchedRequests extends IdempotentRequests {
  override release(...given: Parameters<IdempotentRequests['release']>) {
    watch.beforeRelease();
    return super.release(...given);
  }
}

const { app, runtime, makeWorkspace } = await openTestServer({
  app: { queryTimeoutMs: 2_500 },
  alter: ({ embedder, database, clock, processes }) => ({
    embedder: hold.around(embedder),
    conversations: new WatchedConversations({ database: database.kysely, clock }),
    idempotentRequests: new WatchedRequests({ database: database.kysely, clock, processId: processes.id }),
  }),
});
const body = { query: 'Do you sell socks?' };
const answers = async (workspaceId: string) =>
  (
    await runtime.database.kysely
      .selectFrom('message')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('role', '=', 'assistant')
      .execute()
  ).map(({ id }) => id);

test('a timeout releases the key immediately, and the late answer is not stored', async () => {
  const { id, owner, key } = await makeWorkspace();
  hold.begin();
  const response = await sendQuery(app, { key, body, idempotencyKey: 'slow' });
  expect([response.statusCode, response.json().code]).toEqual([504, 'request_timeout']);
  expect(await ownerMessages(runtime, owner)).toBe(0);
  hold.end();
  const again = await sendQuery(app, { key, body, idempotencyKey: 'slow' });
  expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([200, undefined]);
  expect(await answers(id)).toEqual([again.json().message_id]);
  expect(await ownerMessages(runtime, owner)).toBe(1);
});

test('an answer that is stored at the moment of the timeout is returned', async () => {
  const { id, owner, key } = await makeWorkspace();
  const givenUp = Promise.withResolvers<void>();
  watch.afterStored = () => givenUp.promise;
  watch.beforeRelease = givenUp.resolve;
  const response = await sendQuery(app, { key, body, idempotencyKey: 'late' });
  expect(response.statusCode).toBe(200);
  expect(await answers(id)).toEqual([response.json().message_id]);
  const again = await sendQuery(app, { key, body, idempotencyKey: 'late' });
  expect([again.body, again.headers['idempotency-replayed']]).toEqual([response.body, 'true']);
  expect(await ownerMessages(runtime, owner)).toBe(1);
});
