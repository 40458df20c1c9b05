import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { query, makeWorkspace, addDocument, runtime } = await openTestServer();
const workspace = await makeWorkspace();
const other = await makeWorkspace({ owner: workspace.owner });

async function codeOf(fields: object) {
  const response = await query(workspace.key, { query: 'Do you sell socks?', ...fields });
  return [response.statusCode, response.json().code];
}

const conversationOf = async (key: string, fields: object = {}): Promise<string> =>
  (await query(key, { query: 'Do you sell socks?', ...fields })).json().conversation_id;

test.each(['ws_unknown', 'wt_123_abc'])(
  'the well-formed, unknown workspace_id %j is not found',
  async (id) => {
    expect(await codeOf({ workspace_id: id })).toEqual([404, 'workspace_not_found']);
  },
);

test('a deleted workspace is not found', async () => {
  const gone = await makeWorkspace({ owner: workspace.owner });
  await runtime.workspaces.delete(gone.id);
  expect(await codeOf({ workspace_id: gone.id })).toEqual([404, 'workspace_not_found']);
});

test.each(['conv_unknown', 'nonsense', "conv_'; select 1"])(
  'the conversation_id %j is not found',
  async (conversation_id) => {
    expect(await codeOf({ conversation_id })).toEqual([404, 'conversation_not_found']);
  },
);

test('a conversation of another workspace is not found, even of the same owner', async () => {
  const conversation_id = await conversationOf(other.key);
  expect(await codeOf({ conversation_id })).toEqual([404, 'conversation_not_found']);
});

test('a conversation is found only with its own session, or without one if it has none', async () => {
  const ofOne = await conversationOf(workspace.key, { session_id: 'one' });
  const ofNone = await conversationOf(workspace.key);
  for (const foreign of [
    { conversation_id: ofOne, session_id: 'two' },
    { conversation_id: ofOne },
    { conversation_id: ofOne, session_id: '' },
    { conversation_id: ofNone, session_id: 'one' },
  ]) {
    expect(await codeOf(foreign), JSON.stringify(foreign)).toEqual([404, 'conversation_not_found']);
  }
  expect((await codeOf({ conversation_id: ofOne, session_id: 'one' }))[0]).toBe(200);
  expect((await codeOf({ conversation_id: ofNone }))[0]).toBe(200);
});

test('a conversation of a verified visitor is found only by them, even in the same session', async () => {
  const proofOf = (user_id: string) => {
    const hash = createHmac('sha256', workspace.identitySecret).update(user_id).digest('hex');
    return { user: { user_id, hash }, session_id: 'shared-device' };
  };
  const conversation_id = await conversationOf(workspace.key, proofOf('ada'));
  const others = [
    proofOf('bob'),
    { session_id: 'shared-device' },
    { session_id: 'shared-device', user: { user_id: 'ada' } },
  ];
  for (const other of others) {
    expect(await codeOf({ conversation_id, ...other })).toEqual([404, 'conversation_not_found']);
  }
  expect((await codeOf({ conversation_id, ...proofOf('ada') }))[0]).toBe(200);
});

test('an unknown document is not found and is named', async () => {
  const known = await addDocument(workspace.id, 'Gift cards are valid for two years.');
  const response = await query(workspace.key, {
    query: 'Do you sell socks?',
    document_ids: [known.id, 'doc_unknown'],
  });
  expect([response.statusCode, response.json().code]).toEqual([404, 'document_not_found']);
  expect(response.json().detail).toContain('doc_unknown');
});

test('documents of another workspace and deleted ones are not found', async () => {
  const foreign = await addDocument(other.id, 'Gift cards are valid for two years.');
  const gone = await addDocument(workspace.id, 'Gift cards are valid for one year.');
  await runtime.documents.delete(workspace.id, gone.id);
  expect(await codeOf({ document_ids: [foreign.id] })).toEqual([404, 'document_not_found']);
  expect(await codeOf({ document_ids: [gone.id] })).toEqual([404, 'document_not_found']);
});

test('a request that was not found stores nothing', async () => {
  const count = async () =>
    (await runtime.database.kysely.selectFrom('conversation').select('id').execute()).length;
  const before = await count();
  await codeOf({ document_ids: ['doc_unknown'] });
  expect(await count()).toBe(before);
});
