import { expect, test } from 'vitest';
import { openConversationServer } from '../../../../helpers/servers/open-conversation-server.ts';

const { call, say, time } = await openConversationServer();
const id = await say();
const future = new Date(time.now.getTime() + 1_000).toISOString();

test.each([
  ['invalid_body', []],
  ['invalid_status', { status: 'closed' }],
  ['invalid_tags', { tags: 'vip' }],
  ['invalid_tags', { tags: [''] }],
  ['invalid_tags', { tags: ['x'.repeat(65)] }],
  ['invalid_tags', { tags: Array.from({ length: 51 }, (_, index) => `tag ${index}`) }],
  ['invalid_priority', { priority: 'highest' }],
  ['invalid_priority', { priority: 1 }],
  ['invalid_internal_notes', { internal_notes: 'Hello' }],
  ['invalid_internal_notes', { internal_notes: [{ content: '' }] }],
  ['invalid_internal_notes', { internal_notes: [{ content: 'Hello', author_email: 'ann' }] }],
  ['invalid_customer', { customer: 'Jane' }],
  ['invalid_customer', { customer: { email: 'jane' } }],
  ['invalid_customer', { customer: { name: 7 } }],
  ['invalid_snooze_until', { status: 'snoozed', snooze_until: 'tomorrow' }],
  ['invalid_snooze_until', { status: 'snoozed', snooze_until: time.now.toISOString() }],
  ['invalid_snooze_until', { snooze_until: future }],
  ['invalid_snooze_until', { status: 'open', snooze_until: future }],
])('%s for %j, and nothing is changed', async (code, payload) => {
  const whole = { priority: 'high', ...payload };
  const response = await call('PATCH', `/conversations/${id}`, {
    payload: Array.isArray(payload) ? payload : whole,
  });
  expect([response.statusCode, response.json().code]).toEqual([422, code]);
  const { priority, audit_log } = (await call('GET', `/conversations/${id}`)).json();
  expect([priority, audit_log]).toEqual(['normal', []]);
});
