import { expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { stream, query, makeWorkspace, runtime } = await openTestServer();
const { key } = await makeWorkspace();

async function codeOf(fields: object) {
  const response = await stream(key, { query: 'Do you sell socks?', ...fields });
  return [response.statusCode, response.json().code];
}

test.each([
  [{ workspace_id: 'ws_unknown' }, 'workspace_not_found'],
  [{ conversation_id: 'conv_unknown' }, 'conversation_not_found'],
  [{ document_ids: ['doc_unknown'] }, 'document_not_found'],
])('%j is not found before the stream starts', async (fields, code) => {
  expect(await codeOf(fields)).toEqual([404, code]);
});

test('a conversation of another session is not found', async () => {
  const { conversation_id } = (await query(key, { query: 'Do you sell socks?', session_id: 'one' })).json();
  expect(await codeOf({ conversation_id, session_id: 'two' })).toEqual([404, 'conversation_not_found']);
});

test('a request that was not found is neither counted nor stored', async () => {
  const { owner, key: own } = await makeWorkspace();
  await stream(own, { query: 'Do you sell socks?', conversation_id: 'conv_unknown' });
  const usage = await runtime.database.kysely
    .selectFrom('owner_usage')
    .select('messages')
    .where('owner_id', '=', owner)
    .execute();
  expect(usage).toEqual([{ messages: 0 }]);
});
