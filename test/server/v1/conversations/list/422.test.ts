import { expect, test } from 'vitest';
import { openConversationServer } from '../../../../helpers/servers/open-conversation-server.ts';

const { call, say, workspace, makeWorkspace } = await openConversationServer();
const list = (query: string) => call('GET', `/conversations?workspace_id=${workspace.id}&${query}`);

test.each([
  ['invalid_limit', 'limit=0'],
  ['invalid_limit', 'limit=101'],
  ['invalid_limit', 'limit=2.5'],
  ['invalid_limit', 'limit=many'],
  ['invalid_limit', 'limit='],
  ['invalid_limit', 'limit=2&limit=3'],
  ['invalid_channel', 'channel=fax'],
  ['invalid_channel', 'channel='],
  ['invalid_status', 'status=closed'],
  ['invalid_status', 'status=open&status=resolved'],
  ['invalid_sla_state', 'sla_state=late'],
  ['invalid_feedback', 'feedback='],
  ['invalid_feedback', 'feedback=none'],
  ['invalid_feedback', 'feedback=up&feedback=down'],
  ['invalid_tag', 'tag='],
  ['invalid_tag', `tag=${'x'.repeat(65)}`],
  ['invalid_tag', 'tag=vip&tag='],
  ['invalid_since', 'since=yesterday'],
  ['invalid_since', 'since=2026-02-30'],
  ['invalid_since', 'since=1772359200'],
  ['invalid_since', 'since=0000-01-01T00:00:00Z'],
  ['invalid_until', 'until=2026-03-01T25:00:00Z'],
  ['invalid_until', 'until=9999-12-31T23:59:59-01:00'],
  ['invalid_until', 'until=2026-03-01&until=2026-03-02'],
  ['invalid_q', 'q='],
  ['invalid_q', 'q=%20%20'],
  ['invalid_q', `q=${'x'.repeat(1_001)}`],
  ['invalid_email', 'email='],
  ['invalid_email', 'email=jane'],
  ['invalid_email', 'email=ja%01ne@example.com'],
  ['invalid_cursor', 'cursor='],
  ['invalid_cursor', 'cursor=nonsense'],
])('%s for %s', async (code, query) => {
  const response = await list(query);
  expect([response.statusCode, response.json().code]).toEqual([422, code]);
});

test('a cursor only works with its own workspace and filters', async () => {
  const other = await makeWorkspace({ owner: workspace.owner });
  await say();
  await say();
  const { next_cursor: cursor } = (await list('limit=1')).json().pagination;
  expect((await list(`limit=2&cursor=${cursor}`)).statusCode).toBe(200);
  const refused = [
    await list(`status=open&cursor=${cursor}`),
    await list(`cursor=${cursor}x`),
    await call('GET', `/conversations?workspace_id=${other.id}&cursor=${cursor}`),
  ];
  for (const response of refused) {
    expect([response.statusCode, response.json().code]).toEqual([422, 'invalid_cursor']);
  }
});
