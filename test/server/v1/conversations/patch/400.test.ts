import { expect, test } from 'vitest';
import { openConversationServer } from '../../../../helpers/servers/open-conversation-server.ts';

const { call, say } = await openConversationServer();
const id = await say();

test.each([
  [{}],
  [{ colour: 'blue' }],
  [{ snooze_until: null }],
  [{ status: 'snoozed' }],
  [{ status: 'snoozed', snooze_until: null }],
])('missing_field for %j', async (payload) => {
  const response = await call('PATCH', `/conversations/${id}`, { payload });
  expect([response.statusCode, response.json().code]).toEqual([400, 'missing_field']);
  expect(response.json().detail).toContain('snooze_until');
});
