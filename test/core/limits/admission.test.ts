import { describe, expect, test } from 'vitest';
import type { NewApiKey } from '../../../core/workspaces/keys/api-keys.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { testStores } from '../../helpers/stores/test-stores.ts';

describe.each(testEngines)('API admission on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const time = { now: new Date('2026-03-01T10:00:00.500Z') };
  const { workspaces, apiKeys, join } = testStores(database, { now: () => time.now });
  const one = await join();
  const other = await join();
  const { workspace } = await workspaces.create({ name: 'Test', owner: 'own_me' });

  const keyWith = async (limits: Partial<NewApiKey> = {}, workspaceId = workspace.id) =>
    (await apiKeys.create(workspaceId, { name: 'Test', ...limits })).value;
  /** Sends half of the requests to another process. */
  const askAtOnce = (count: number, key: string) =>
    Promise.all(
      Array.from({ length: count }, (_, index) => (index % 2 ? one : other).admission.admit(key, false)),
    );
  const codeOf = async (key: string) => (await one.admission.admit(key, false)).refusal?.code ?? 'let in';

  test('finds the workspace of a key', async () => {
    const { holder, limits, refusal } = await one.admission.admit(await keyWith(), false);
    expect(refusal).toBeNull();
    expect(holder).toMatchObject({ name: 'Test', workspace: { id: workspace.id, owner: 'own_me' } });
    expect(limits).toEqual({
      minute: 60,
      minuteRemaining: 59,
      day: 1_000,
      dayRemaining: 999,
      dayResets: new Date('2026-03-02T00:00:00Z'),
    });
  });

  test('rejects unknown and revoked keys in the same way', async () => {
    const { apiKey, value } = await apiKeys.create(workspace.id, { name: 'Gone' });
    await apiKeys.revoke(workspace.id, apiKey.id);
    await expect(one.admission.admit(value, false)).rejects.toMatchObject({ code: 'invalid_key' });
    await expect(one.admission.admit('pk_never', false)).rejects.toMatchObject({ code: 'invalid_key' });
  });

  test('rejects keys of a deleted workspace', async () => {
    const { workspace: doomed } = await workspaces.create({ name: 'Doomed' });
    const key = await keyWith({}, doomed.id);
    await workspaces.delete(doomed.id);
    await expect(one.admission.admit(key, false)).rejects.toMatchObject({ code: 'invalid_key' });
  });

  test('refuses a key of a plan without API access, without using its limits', async () => {
    const { workspace: free } = await workspaces.create({ name: 'Free', plan: 'free' });
    const key = await keyWith({}, free.id);
    await one.admission.admit(key, true);
    const { refusal, limits } = await one.admission.admit(key, true);
    expect(refusal?.code).toBe('feature_not_in_plan');
    expect(limits.minuteRemaining).toBe(60);
  });

  test('admits ten of forty concurrent requests in two processes with a limit of ten', async () => {
    const key = await keyWith({ rateLimitMinute: 10 });
    const admitted = await askAtOnce(40, key);
    const refused = admitted.filter(({ refusal }) => refusal !== null);
    expect(refused).toHaveLength(30);
    expect(refused[0]?.refusal).toMatchObject({ code: 'rate_limit_minute', retryAfterSeconds: 60 });
    expect(refused[0]?.limits).toMatchObject({ minuteRemaining: 0, dayRemaining: 990 });
  });

  test('starts the minute with its first request, and a refused request does not extend it', async () => {
    const key = await keyWith({ rateLimitMinute: 1 });
    const begin = time.now;
    expect(await codeOf(key)).toBe('let in');
    time.now = new Date(begin.getTime() + 59_000);
    expect((await one.admission.admit(key, false)).refusal).toMatchObject({
      code: 'rate_limit_minute',
      retryAfterSeconds: 1,
    });
    time.now = new Date(begin.getTime() + 60_000);
    expect(await codeOf(key)).toBe('let in');
    time.now = begin;
  });

  test('ends the day at midnight UTC', async () => {
    const key = await keyWith({ rateLimitDay: 2 });
    const begin = time.now;
    time.now = new Date('2026-03-01T23:58:00Z');
    expect([await codeOf(key), await codeOf(key)]).toEqual(['let in', 'let in']);
    expect((await one.admission.admit(key, false)).refusal).toMatchObject({
      code: 'rate_limit_day',
      retryAfterSeconds: 120,
    });
    time.now = new Date('2026-03-02T00:00:00Z');
    expect(await codeOf(key)).toBe('let in');
    time.now = begin;
  });

  test('admits fifty of sixty concurrent requests in two processes, and another one when one ends', async () => {
    const key = await keyWith({ rateLimitMinute: 1_000 });
    const admitted = await askAtOnce(60, key);
    const inside = admitted.filter(({ refusal }) => refusal === null);
    expect(inside).toHaveLength(50);
    expect(admitted.find(({ refusal }) => refusal !== null)?.refusal).toMatchObject({
      code: 'rate_limit_concurrent',
      retryAfterSeconds: 1,
    });
    for (const { end } of inside) end();
    await expect.poll(() => codeOf(key)).toBe('let in');
  });

  test('never refuses fifty clients that each send one request after the other', async () => {
    const key = await keyWith({ rateLimitMinute: 10_000 });
    const refusals: unknown[] = [];
    const caller = async () => {
      for (let round = 0; round < 10; round += 1) {
        const { refusal, end } = await one.admission.admit(key, false);
        if (refusal !== null) refusals.push(refusal.code);
        end();
      }
    };
    await Promise.all(Array.from({ length: 50 }, caller));
    expect(refusals).toEqual([]);
  });

  test('releases the requests in flight of a dead process', async () => {
    const dead = await join();
    const key = await keyWith({ rateLimitMinute: 1_000 });
    await Promise.all(Array.from({ length: 50 }, () => dead.admission.admit(key, false)));
    expect(await codeOf(key)).toBe('rate_limit_concurrent');
    await database.pool.query("update process set seen_at = now() - interval '1 minute' where id = $1", [
      dead.processes.id,
    ]);
    expect(await codeOf(key)).toBe('let in');
    await dead.processes.close();
  });

  test('gives the last message of a month to one request', async () => {
    const { workspace: owned } = await workspaces.create({ name: 'Starter', owner: 'own_starter' });
    await database.pool.query("insert into owner_usage values ('own_starter', '2026-03-01', 1997)");
    const keys = [await keyWith({}, owned.id), await keyWith({}, owned.id)];
    const admitted = await Promise.all(
      keys.flatMap((key) => [1, 2, 3, 4].map(() => one.admission.admit(key, true))),
    );
    expect(admitted.filter(({ messageCounted }) => messageCounted)).toHaveLength(3);
    expect(admitted.every(({ refusal }) => refusal === null)).toBe(true);
  });

  test('rejects a key after its expiry', async () => {
    const key = await keyWith({ expiresAt: new Date('2026-03-01T11:00:00Z') });
    expect(await codeOf(key)).toBe('let in');
    time.now = new Date('2026-03-01T11:00:00Z');
    await expect(one.admission.admit(key, false)).rejects.toMatchObject({ code: 'expired_key' });
  });

  describe('a rotated key', () => {
    const rotate = async (graceSeconds: number, fields: Partial<NewApiKey> = {}) => {
      const { apiKey, value } = await apiKeys.create(workspace.id, { name: 'Rotated', ...fields });
      await one.admission.admit(value, false);
      const { secret, previousValidUntil } = await apiKeys.rotate(workspace.id, apiKey.id, { graceSeconds });
      return { id: apiKey.id, former: value, current: secret, previousValidUntil };
    };
    const refused = { code: 'invalid_key' };

    test('is accepted by both values during the grace period, in every process, then by the new one only', async () => {
      const { id, former, current, previousValidUntil } = await rotate(600);
      for (const { admission } of [one, other]) {
        for (const value of [former, current]) {
          expect((await admission.admit(value, false)).holder).toMatchObject({ id, name: 'Rotated' });
        }
      }
      time.now = new Date(previousValidUntil.getTime() - 1);
      expect(await codeOf(former)).toBe('let in');
      time.now = previousValidUntil;
      for (const { admission } of [one, other]) {
        await expect(admission.admit(former, false)).rejects.toMatchObject(refused);
        expect((await admission.admit(current, false)).holder.id).toBe(id);
      }
    });

    test('counts both values together, per minute and in flight', async () => {
      const { former, current } = await rotate(600, { rateLimitMinute: 4 });
      expect(await codeOf(former)).toBe('let in');
      expect(await codeOf(current)).toBe('let in');
      expect(await codeOf(former)).toBe('let in');
      expect(await codeOf(current)).toBe('rate_limit_minute');
      const busy = await rotate(600, { rateLimitMinute: 1_000 });
      const values = Array.from({ length: 50 }, (_, index) => (index % 2 ? busy.former : busy.current));
      const admitted = await Promise.all(values.map((value) => one.admission.admit(value, false)));
      expect(await codeOf(busy.current)).toBe('rate_limit_concurrent');
      for (const { end } of admitted) end();
      expect(await codeOf(busy.former)).toBe('let in');
    });

    test('loses its previous value at once without a grace period', async () => {
      const { former, current } = await rotate(0);
      await expect(one.admission.admit(former, false)).rejects.toMatchObject(refused);
      expect(await codeOf(current)).toBe('let in');
    });

    test('has at most two values: a second rotation ends the first value', async () => {
      const { id, former, current } = await rotate(600);
      const { secret } = await apiKeys.rotate(workspace.id, id, { graceSeconds: 600 });
      await expect(one.admission.admit(former, false)).rejects.toMatchObject(refused);
      expect([await codeOf(current), await codeOf(secret)]).toEqual(['let in', 'let in']);
    });

    test('is rejected with both values after revocation or expiry', async () => {
      const { id, former, current } = await rotate(600);
      await apiKeys.revoke(workspace.id, id);
      for (const value of [former, current]) {
        await expect(one.admission.admit(value, false)).rejects.toMatchObject(refused);
      }
      const expiresAt = new Date(time.now.getTime() + 60_000);
      const ending = await rotate(600, { expiresAt });
      expect(ending.previousValidUntil).toEqual(expiresAt);
      time.now = expiresAt;
      await expect(one.admission.admit(ending.current, false)).rejects.toMatchObject({ code: 'expired_key' });
      const again = apiKeys.rotate(workspace.id, ending.id, { graceSeconds: 600 });
      await expect(again).rejects.toMatchObject({ code: 'key_expired' });
    });

    test('belongs to its own workspace', async () => {
      const { id } = await rotate(600);
      const { workspace: stranger } = await workspaces.create({ name: 'Stranger' });
      const rotated = apiKeys.rotate(stranger.id, id, { graceSeconds: 0 });
      await expect(rotated).rejects.toMatchObject({ code: 'key_not_found' });
    });
  });
});
