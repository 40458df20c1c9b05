import { expect, test } from 'vitest';
import { openPublicServer } from '../../../helpers/servers/open-public-server.ts';

const secret = 'connection to 10.0.0.7 refused for user parley';
const { askPublicly, openWorkspace, messagesOf } = await openPublicServer({
  alter: ({ embedder }) => ({
    embedder: { ...embedder, embedQuery: () => Promise.reject(new TypeError(secret)) },
  }),
});

test.each([{}, { mode: 'list' }, { mode: 'generate', streaming: true }])(
  'an unexpected error does not reveal its cause and is not counted: %j',
  async (fields) => {
    const { id, owner } = await openWorkspace();
    const response = await askPublicly(id, { query: 'Is it raining?', ...fields });
    expect([response.statusCode, response.json()]).toEqual([
      500,
      {
        code: 'internal_error',
        detail: 'Something went wrong on our side. Retry, and include the request_id if you contact support.',
        request_id: response.headers['x-request-id'],
      },
    ]);
    expect(await messagesOf(owner)).toBe(0);
  },
);
