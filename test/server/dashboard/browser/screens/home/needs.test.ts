import { expect, test } from 'vitest';
import { collectNeeds } from '../../../../../../server/dashboard/browser/screens/home/needs.ts';

const now = new Date('2026-05-20T10:00:00Z');
const views = {
  ...{ waiting: 3, mine: 1, unread: 2, sla_at_risk: 1, snoozed: 0 },
  ...{ low_confidence: 5, open: 9, resolved: 4, all: 13 },
};
const key = {
  ...{ id: 'key_1', workspace_id: 'ws_1', name: 'Old kiosk', ending: 'abcd', rate_limit_minute: 60 },
  ...{ rate_limit_day: 1_000, expires_at: null, previous_valid_until: null, revoked_at: null, days: [] },
  ...{ created_at: '2026-01-01T00:00:00Z', created_by: 'Maya', last_used_at: null, scopes_used: [] },
  ...{ scopes: [], workspaces: 'own' as const, mode: 'live' as const, allowed_networks: [] },
};
const kinds = (facts: Omit<Parameters<typeof collectNeeds>[0], 'now'>) =>
  collectNeeds({ ...facts, now }).map(({ tone, what }) => `${tone} ${what.kind}`);

test('a part that was not read, or is in order, needs nobody', () => {
  expect(kinds({})).toEqual([]);
  const calm = Object.fromEntries(Object.keys(views).map((name) => [name, 0]));
  expect(
    kinds({ failedDocuments: 0, views: { ...views, ...calm }, conflicts: { count: 0, isMore: false } }),
  ).toEqual([]);
});

test('red comes first, whatever it is about', () => {
  expect(kinds({ views, failedDocuments: 2, keys: [key], usage: { messages: 90, quota: 100 } })).toEqual([
    'red documents_failed',
    'red waiting_late',
    'amber waiting',
    'amber quota',
    'plain unsure_answers',
    'plain key_silent',
  ]);
});

test.each([
  [79, []],
  [80, ['amber quota']],
  [100, ['red quota']],
])('%i of 100 messages of the month: %j', (messages, expected) => {
  expect(kinds({ usage: { messages, quota: 100 } })).toEqual(expected);
  expect(kinds({ usage: { messages, quota: null } })).toEqual([]);
});

test.each([
  ['used yesterday', { last_used_at: '2026-05-19T10:00:00Z' }, 0],
  ['used 30 days ago', { last_used_at: '2026-04-20T10:00:00Z' }, 1],
  ['made yesterday and never used', { created_at: '2026-05-19T10:00:00Z' }, 0],
  ['revoked', { revoked_at: '2026-05-01T00:00:00Z' }, 0],
])('a key that was %s', (_, fields, count) => {
  expect(kinds({ keys: [{ ...key, ...fields }] })).toHaveLength(count);
});
