import { beforeEach, expect, test } from 'vitest';
import type { NewApiKey } from '../../../../core/workspaces/keys/api-keys.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { rateLimitHeadersOf } from '../../../helpers/servers/questions/rate-limit-headers.ts';

const begin = new Date('2026-03-31T10:00:00.500Z');
const time = { now: begin };
const { query, runtime, makeWorkspace } = await openTestServer({
  runtime: { clock: { now: () => time.now } },
});
const workspace = await makeWorkspace();
const keyWith = async (limits: Partial<NewApiKey>) =>
  (await runtime.apiKeys.create(workspace.id, { name: 'Test', ...limits })).value;
const ask = async (key: string) => {
  const response = await query(key, { query: 'Do you sell socks?' });
  return {
    code: response.statusCode === 200 ? 'answered' : response.json().code,
    retryAfter: response.headers['retry-after'],
    ...rateLimitHeadersOf(response),
  };
};
const resets = Date.parse('2026-04-01T00:00:00Z') / 1_000;

beforeEach(() => {
  time.now = begin;
});

test('a key has 60 requests per minute and 1,000 per day by default', async () => {
  expect(await ask(await keyWith({}))).toEqual({
    code: 'answered',
    retryAfter: undefined,
    minute: 60,
    minuteRemaining: 59,
    day: 1_000,
    dayRemaining: 999,
    dayResets: resets,
  });
});

test('rate_limit_minute reports the seconds to the end of the minute, after which the key works again', async () => {
  const key = await keyWith({ rateLimitMinute: 2, rateLimitDay: 10 });
  await ask(key);
  expect(await ask(key)).toMatchObject({ code: 'answered', minuteRemaining: 0, dayRemaining: 8 });
  time.now = new Date(begin.getTime() + 45_200);
  const refused = { code: 'rate_limit_minute', retryAfter: '15', minuteRemaining: 0, dayRemaining: 8 };
  expect(await ask(key)).toMatchObject(refused);
  time.now = new Date(begin.getTime() + 45_200 + 15_000);
  expect(await ask(key)).toMatchObject({ code: 'answered', minuteRemaining: 1, dayRemaining: 7 });
});

test('rate_limit_day reports the seconds to midnight UTC, after which the key works again', async () => {
  const key = await keyWith({ rateLimitDay: 1 });
  await ask(key);
  time.now = new Date('2026-03-31T23:58:30.000Z');
  const refused = { code: 'rate_limit_day', retryAfter: '90', minuteRemaining: 60, dayRemaining: 0 };
  expect(await ask(key)).toMatchObject({ ...refused, dayResets: resets });
  time.now = new Date('2026-04-01T00:00:00.000Z');
  expect(await ask(key)).toMatchObject({ code: 'answered', dayRemaining: 0, dayResets: resets + 86_400 });
});

test('quota_exhausted reports the seconds to the next month, which has its own quota', async () => {
  const { owner, key } = await makeWorkspace();
  await runtime.database.pool.query('insert into owner_usage values ($1, $2, 1999)', [owner, '2026-03-01']);
  expect(await ask(key)).toMatchObject({ code: 'answered' });
  time.now = new Date('2026-03-31T23:00:00.000Z');
  expect(await ask(key)).toMatchObject({ code: 'quota_exhausted', retryAfter: '3600' });
  time.now = new Date('2026-04-01T00:00:00.000Z');
  expect(await ask(key)).toMatchObject({ code: 'answered' });
});
