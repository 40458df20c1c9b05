import { expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { stream, makeWorkspace } = await openTestServer();
const { key } = await makeWorkspace({ settings: { audiences: ['staff'] } });

test.each([
  [{ query: 5 }, 'invalid_query'],
  [{ top_k: 0 }, 'invalid_top_k'],
  [{ top_k: 21 }, 'invalid_top_k'],
  [{ temperature: 1.1 }, 'invalid_temperature'],
  [{ strictness: 'lax' }, 'invalid_strictness'],
  [{ audience: ['nobody'] }, 'invalid_audience'],
  [{ session_id: 'a'.repeat(201) }, 'invalid_session_id'],
  [{ document_ids: 'doc_1' }, 'invalid_document_ids'],
  [{ metadata: [] }, 'invalid_metadata'],
])('rejects %j before the stream starts', async (fields, code) => {
  const response = await stream(key, { query: 'Do you sell socks?', ...fields });
  expect([response.statusCode, response.json().code]).toEqual([422, code]);
});
