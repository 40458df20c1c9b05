import { describe, expect, test } from 'vitest';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { testStores } from '../../helpers/stores/test-stores.ts';

describe.each(testEngines)('the monthly quota on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const time = { now: new Date('2026-03-31T23:59:00Z') };
  const { workspaces, quota } = testStores(database, { now: () => time.now });

  const ownerWith = async (messages: number) => {
    const { workspace } = await workspaces.create({ name: 'Test' });
    await database.pool.query('insert into owner_usage values ($1, $2, $3)', [
      workspace.owner,
      '2026-03-01',
      messages,
    ]);
    return workspace.owner;
  };

  test("is exhausted at the plan's limit until the next month", async () => {
    const owner = await ownerWith(49);
    await quota.reserve(owner, 'free');
    await expect(quota.reserve(owner, 'free')).rejects.toMatchObject({
      code: 'quota_exhausted',
      retryAfterSeconds: 60,
    });
    time.now = new Date('2026-04-01T00:00:00Z');
    await expect(quota.reserve(owner, 'free')).resolves.toMatchObject({ month: '2026-04-01' });
    time.now = new Date('2026-03-31T23:59:00Z');
  });

  test('admits as many concurrent messages as are left', async () => {
    const owner = await ownerWith(43);
    const asked = Array.from({ length: 20 }, () => quota.reserve(owner, 'free'));
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'quota_exhausted' });
  });

  test('is unlimited for the enterprise plan', async () => {
    const owner = await ownerWith(10_000_000);
    await expect(quota.reserve(owner, 'enterprise')).resolves.toMatchObject({ owner });
  });

  test('gets a failed message back', async () => {
    const owner = await ownerWith(49);
    await quota.refund(await quota.reserve(owner, 'free'));
    await expect(quota.reserve(owner, 'free')).resolves.toMatchObject({ owner });
  });
});
