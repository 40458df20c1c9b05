import { randomBytes } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { Challenges } from '../../../core/visitors/challenges.ts';
import { solveChallenge } from '../../helpers/servers/solve-challenge.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

describe.each(testEngines)('a challenge on %s', async (engine) => {
  const { kysely } = await openTestDatabase(engine);
  const time = { now: Date.parse('2026-11-21T12:00:00Z') };
  const key = randomBytes(32);
  const clock = { now: () => new Date(time.now) };
  const challenges = new Challenges({ database: kysely, clock, key, bits: 6 });
  const caller = { workspaceId: 'ws_shop', address: '192.0.2.7', visitorId: 'vis_ada' };

  test('is solved once, by the caller who does the work', async () => {
    const answer = solveChallenge(await challenges.pose(caller));
    expect(await challenges.accept(caller, answer)).toBe(true);
    expect(await challenges.accept(caller, answer)).toBe(false);
  });

  test('cannot be solved by another caller', async () => {
    const answer = solveChallenge(await challenges.pose(caller));
    for (const other of [{ address: '192.0.2.8' }, { workspaceId: 'ws_other' }, { visitorId: 'vis_bob' }])
      expect(await challenges.accept({ ...caller, ...other }, answer)).toBe(false);
    expect(await challenges.accept(caller, answer)).toBe(true);
  });

  test('is not solved without the work', async () => {
    const hard = new Challenges({ database: kysely, clock, key, bits: 40 });
    const posed = await hard.pose(caller);
    for (const answer of [`${posed} 0`, posed, `${posed} x`, '', 'nonsense 1'])
      expect(await hard.accept(caller, answer)).toBe(false);
  });

  test('is rejected if it was made easier or signed with another key', async () => {
    const claims = decodeJwt(await challenges.pose(caller));
    const forged = await new SignJWT({ ...claims, bits: 1 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(randomBytes(32));
    expect(await challenges.accept(caller, solveChallenge(forged))).toBe(false);
  });

  test('expires after two minutes and cannot be reused before', async () => {
    const [spent, late] = [await challenges.pose(caller), await challenges.pose(caller)].map(solveChallenge);
    expect(await challenges.accept(caller, spent ?? '')).toBe(true);
    time.now += 119_000;
    expect(await challenges.accept(caller, spent ?? '')).toBe(false);
    time.now += 2_000;
    expect(await challenges.accept(caller, late ?? '')).toBe(false);
  });
});
