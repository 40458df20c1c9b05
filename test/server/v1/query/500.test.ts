import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const logged: { level: number; msg: string }[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
const secret = 'connection to 10.0.0.7 refused for user parley';

const broken = await openTestServer({
  alter: ({ embedder }) => ({
    log,
    embedder: { ...embedder, embedQuery: () => Promise.reject(new TypeError(secret)) },
  }),
});

test('an unexpected error does not reveal its cause, which is logged once', async () => {
  const { key } = await broken.makeWorkspace();
  const response = await broken.query(key, { query: 'Do you sell socks?' });
  expect([response.statusCode, response.json()]).toEqual([
    500,
    {
      code: 'internal_error',
      detail: 'Something went wrong on our side. Retry, and include the request_id if you contact support.',
      request_id: response.headers['x-request-id'],
    },
  ]);
  const errors = logged.filter((line) => line.level >= 50);
  expect(errors).toHaveLength(1);
  expect(JSON.stringify(errors)).toContain(secret);
});

test('a failed query stores nothing', async () => {
  const rows = await broken.runtime.database.kysely.selectFrom('message').select('id').execute();
  expect(rows).toEqual([]);
});
