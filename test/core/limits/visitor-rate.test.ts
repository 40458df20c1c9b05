import { describe, expect, test } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import { VisitorRateLimit } from '../../../core/limits/visitor-rate.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

describe.each(testEngines)('visitors on %s', async (engine) => {
  const { kysely } = await openTestDatabase(engine);
  const time = { now: Date.parse('2026-11-21T12:00:00Z') };
  const clock = { now: () => new Date(time.now) };
  const rates = {
    asksOfVisitor: 2,
    asksOfAddress: 4,
    easyAsksOfAddress: 3,
    easyAsksOfWorkspace: 5,
    readsOfAddress: 2,
    filesOfAddress: 2,
  };
  const rate = new VisitorRateLimit({ database: kysely, clock, rates });
  const codeOf = (call: Promise<void>) =>
    call.then(
      () => 'admitted',
      (error: unknown) => (error instanceof AppError ? error.code : error),
    );
  const ask = (workspaceId: string, address: string, visitorId?: string, isProven = false) =>
    codeOf(rate.ask({ workspaceId, address, ...(visitorId !== undefined && { visitorId }) }, { isProven }));

  test('are limited individually and by address', async () => {
    const of = (visitor: string) => ask('ws_hard', '192.0.2.1', visitor, true);
    expect([await of('vis_a'), await of('vis_a'), await of('vis_a')]).toEqual([
      'admitted',
      'admitted',
      'rate_limit_minute',
    ]);
    expect([await of('vis_b'), await of('vis_c')]).toEqual(['admitted', 'rate_limit_minute']);
  });

  test('have a daily file limit per address, whatever identity they claim', async () => {
    const file = (address: string, visitorId: string) =>
      codeOf(rate.file({ workspaceId: 'ws_files', address, visitorId }));
    expect([await file('192.0.2.1', 'vis_a'), await file('192.0.2.1', 'vis_b')]).toEqual([
      'admitted',
      'admitted',
    ]);
    expect(await file('192.0.2.1', 'vis_c')).toBe('rate_limit_day');
    expect(await file('192.0.2.2', 'vis_c')).toBe('admitted');
    time.now += 12 * 60 * 60 * 1_000;
    expect([await file('192.0.2.1', 'vis_c'), await file('192.0.2.1', 'vis_d')]).toEqual([
      'admitted',
      'rate_limit_day',
    ]);
  });

  test('are challenged before any other limit is counted', async () => {
    const calls = [];
    for (let call = 0; call < 6; call += 1) calls.push(await ask('ws_soft', '192.0.2.1'));
    const refused = Array.from({ length: 3 }, () => 'challenge_required');
    expect(calls).toEqual(['admitted', 'admitted', 'admitted', ...refused]);
    expect(await ask('ws_soft', '192.0.2.1', undefined, true)).toBe('admitted');
    expect(await ask('ws_soft', '192.0.2.1', undefined, true)).toBe('rate_limit_minute');
  });

  test('from many addresses are also counted together', async () => {
    const calls = [];
    for (let call = 0; call < 6; call += 1) calls.push(await ask('ws_many', `192.0.2.${call}`));
    expect(calls.filter((code) => code === 'challenge_required')).toHaveLength(1);
  });

  test('have a read limit per address', async () => {
    const read = () => codeOf(rate.read({ workspaceId: 'ws_read', address: '192.0.2.1' }));
    expect([await read(), await read(), await read()]).toEqual(['admitted', 'admitted', 'rate_limit_minute']);
  });
});
