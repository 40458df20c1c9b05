import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openMcpServer } from '../../helpers/servers/open-mcp-server.ts';

const logged: { level: number; msg: string }[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
const secret = 'connection to 10.0.0.7 refused for user parley';

const { openWorkspace, send, messagesOf, runtime } = await openMcpServer({
  alter: ({ embedder }) => ({
    log,
    embedder: { ...embedder, embedQuery: () => Promise.reject(new TypeError(secret)) },
  }),
});
const { id, owner } = await openWorkspace();

test.each(['ask', 'search'])(
  'an internal error in %s does not reveal its cause, which is logged',
  async (name) => {
    logged.length = 0;
    const params = { name, arguments: { query: 'Do you sell socks?' } };
    const response = await send(id, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(await response.json()).toMatchObject({
      result: {
        isError: true,
        content: [
          {
            type: 'text',
            text: 'Something went wrong on our side. Retry, and include the request_id if you contact support.',
          },
        ],
      },
    });
    expect(JSON.stringify(logged.filter(({ level }) => level >= 50))).toContain(secret);
    expect(await messagesOf(owner)).toBe(0);
  },
);

test('an internal error in a list does not reveal its cause either', async () => {
  await runtime.database.pool.query('alter table document rename column title to label');
  const response = await send(id, { jsonrpc: '2.0', id: 1, method: 'resources/list' });
  const body = await response.text();
  expect(JSON.parse(body)).toMatchObject({ error: { code: -32_603 } });
  expect(body).toContain(
    'Something went wrong on our side. Retry, and include the request_id if you contact support.',
  );
  expect(body).not.toContain('title');
});
