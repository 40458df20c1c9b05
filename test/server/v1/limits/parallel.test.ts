import { describe, expect, test } from 'vitest';
import { QuestionHold } from '../../../helpers/servers/questions/question-hold.ts';
import { rateLimitHeadersOf } from '../../../helpers/servers/questions/rate-limit-headers.ts';
import { testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { leaveMessages, ownerMessages } from '../../../helpers/stores/owner-messages.ts';
import { openTestServers } from '../../../helpers/stores/test-servers.ts';

describe.each(testEngines)('concurrent requests at two servers on %s', async (engine) => {
  const hold = new QuestionHold();
  const [one, other] = await openTestServers(engine, {
    alter: ({ embedder }) => ({ embedder: hold.around(embedder) }),
  });
  const { runtime, makeWorkspace } = one;
  const ask = (key: string, index: number) =>
    (index % 2 ? one : other).query(key, { query: 'Do you sell socks?' });
  const askAtOnce = (count: number, keys: readonly string[]) =>
    Promise.all(Array.from({ length: count }, (_, index) => ask(keys[index % keys.length] ?? '', index)));
  const codesOf = (responses: readonly Awaited<ReturnType<typeof ask>>[]) => {
    const codes = responses.map((response) =>
      response.statusCode === 200 ? 'answered' : response.json().code,
    );
    return Object.fromEntries(
      [...new Set(codes)].map((code) => [code, codes.filter((c) => c === code).length]),
    );
  };

  test('a limit of ten per minute admits ten of forty', async () => {
    const { id, owner } = await makeWorkspace();
    const { value: key } = await runtime.apiKeys.create(id, { name: 'Ten', rateLimitMinute: 10 });
    const responses = await askAtOnce(40, [key]);
    expect(codesOf(responses)).toEqual({ answered: 10, rate_limit_minute: 30 });
    const remaining = responses.map((response) => rateLimitHeadersOf(response).minuteRemaining);
    expect(new Set(remaining)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    expect(await ownerMessages(runtime, owner)).toBe(10);
  });

  test('a limit of ten per day admits ten of forty', async () => {
    const { id } = await makeWorkspace();
    const { value: key } = await runtime.apiKeys.create(id, { name: 'Ten', rateLimitDay: 10 });
    expect(codesOf(await askAtOnce(40, [key]))).toEqual({ answered: 10, rate_limit_day: 30 });
  });

  test('a key has at most fifty requests in flight over both servers, until one ends', async () => {
    const { key } = await makeWorkspace();
    hold.begin();
    const inFlight = askAtOnce(50, [key]);
    await hold.arrived(50);
    for (const server of [0, 1]) {
      const refused = await ask(key, server);
      expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate_limit_concurrent']);
      expect(refused.headers['retry-after']).toBe('1');
      expect(rateLimitHeadersOf(refused).minuteRemaining).toBe(950);
    }
    const { key: another } = await makeWorkspace();
    const free = ask(another, 0);
    await hold.arrived(51);
    hold.end();
    expect((await free).statusCode).toBe(200);
    expect(codesOf(await inFlight)).toEqual({ answered: 50 });
    await expect.poll(async () => (await ask(key, 0)).statusCode).toBe(200);
  });

  test('the last messages of an owner are used once over all workspaces and keys', async () => {
    const { owner, key } = await makeWorkspace();
    const second = await makeWorkspace({ owner });
    await leaveMessages(runtime, owner, 5);
    expect(codesOf(await askAtOnce(20, [key, second.key]))).toEqual({ answered: 5, quota_exhausted: 15 });
    expect(await ownerMessages(runtime, owner)).toBe(2_000);
  });
});
