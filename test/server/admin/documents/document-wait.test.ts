import { expect, test, vi } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { app, runtime, operate, makeWorkspace } = await openTestServer();

test('a wait for indexing ends with the current state of the document when the server drains', async () => {
  const { id } = await makeWorkspace();
  const looked = Promise.withResolvers<void>();
  const get = runtime.documents.get.bind(runtime.documents);
  vi.spyOn(runtime.documents, 'get').mockImplementation((...request) => {
    looked.resolve();
    return get(...request);
  });
  const answer = operate('POST', `/workspaces/${id}/documents?wait=true`, {
    content: 'Nobody indexes this.',
  });
  await looked.promise;
  await app.drain();
  const response = await answer;
  expect([response.statusCode, response.json().status]).toEqual([202, 'queued']);
});
