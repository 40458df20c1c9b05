import { describe, expect, test } from 'vitest';
import { PublicRateLimit } from '../../../core/limits/public-rate.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

describe.each(testEngines)('the public rate limit on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const time = { now: new Date('2026-03-31T12:00:00Z') };
  const processes = [1, 2].map(
    () => new PublicRateLimit({ database: database.kysely, clock: { now: () => time.now } }),
  );

  /** Sends concurrent requests alternately through two processes. Returns the number of admitted ones. */
  async function ask(times: number, workspaceId: string): Promise<number> {
    const results = await Promise.allSettled(
      Array.from({ length: times }, (_, index) => processes[index % 2]?.take(workspaceId, '192.0.2.1')),
    );
    return results.filter(({ status }) => status === 'fulfilled').length;
  }

  test('is shared by all processes, also for concurrent requests', async () => {
    expect(await ask(40, 'ws_one')).toBe(30);
    expect(await ask(2, 'ws_one')).toBe(0);
  });

  test('refills one token every two seconds', async () => {
    await ask(30, 'ws_two');
    time.now = new Date(time.now.getTime() + 10_000);
    expect(await ask(40, 'ws_two')).toBe(5);
  });

  test('returns the seconds until the next token', async () => {
    await ask(30, 'ws_three');
    time.now = new Date(time.now.getTime() + 500);
    await expect(processes[0]?.take('ws_three', '192.0.2.1')).rejects.toMatchObject({
      code: 'rate_limit_minute',
      retryAfterSeconds: 2,
    });
  });
});
