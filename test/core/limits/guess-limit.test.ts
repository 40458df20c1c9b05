import { expect, test } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import { createLog } from '../../../core/base/log.ts';
import { type Attempt, type CredentialKind, GuessLimit } from '../../../core/limits/guess-limit.ts';

const address = '192.0.2.7';

/** A limit with its own clock, where only the keys in `right` are correct. */
function open() {
  const time = { now: Date.parse('2026-11-25T12:00:00Z') };
  const lines: string[] = [];
  const counted: CredentialKind[] = [];
  const right = new Set(['right']);
  const lookedUp: string[] = [];
  const guesses = new GuessLimit({
    clock: { now: () => new Date(time.now) },
    log: createLog('warn', { write: (line) => void lines.push(line) }),
    count: (kind) => void counted.push(kind),
  });
  const attempt = async (credential: string, changes: Partial<Attempt> = {}) => {
    const asked: Attempt = { kind: 'api_key', address, credential, ...changes };
    return guesses
      .check(asked, async () => {
        lookedUp.push(credential);
        await Promise.resolve();
        if (!right.has(credential)) throw new AppError('invalid_key');
        return 'in';
      })
      .catch((error: unknown) => (error instanceof AppError ? error.code : error));
  };
  const exhaust = async (changes: Partial<Attempt> = {}) => {
    for (let guess = 0; guess < 20; guess += 1)
      expect(await attempt(`guess ${guess}`, changes)).toBe('invalid_key');
  };
  return { time, lines, counted, right, lookedUp, guesses, attempt, exhaust };
}

test('refuses the 21st wrong key of a minute before the look-up, and admits one more every three seconds', async () => {
  const { time, lookedUp, guesses, attempt, exhaust } = open();
  await exhaust();
  expect(lookedUp).toHaveLength(20);
  expect(await attempt('another')).toBe('rate_limit_minute');
  await expect(
    guesses.check({ kind: 'api_key', address, credential: 'x' }, async () => 'in'),
  ).rejects.toMatchObject({ code: 'rate_limit_minute', retryAfterSeconds: 3 });
  expect(lookedUp).toHaveLength(20);
  time.now += 3_000;
  expect([await attempt('another'), await attempt('yet another')]).toEqual([
    'invalid_key',
    'rate_limit_minute',
  ]);
  time.now += 60_000;
  await exhaust();
});

test('also refuses a correct key unknown to this process then, because otherwise guessing could continue', async () => {
  const { attempt, exhaust } = open();
  await exhaust();
  expect(await attempt('right')).toBe('rate_limit_minute');
});

test('always admits a key that was correct before', async () => {
  const { attempt, exhaust } = open();
  expect(await attempt('right')).toBe('in');
  await exhaust();
  expect([await attempt('right'), await attempt('right'), await attempt('other')]).toEqual([
    'in',
    'in',
    'rate_limit_minute',
  ]);
});

test('treats a revoked key as wrong from its next look-up on', async () => {
  const { right, attempt } = open();
  expect(await attempt('right')).toBe('in');
  right.delete('right');
  expect(await attempt('right')).toBe('invalid_key');
});

test('looks up a repeated wrong key once a minute, and locks out no neighbour', async () => {
  const { time, lookedUp, counted, attempt } = open();
  const told = [];
  for (let turn = 0; turn < 30; turn += 1) told.push(await attempt('stale'));
  expect(told).toEqual([
    ...Array.from({ length: 20 }, () => 'invalid_key'),
    ...Array.from({ length: 10 }, () => 'rate_limit_minute'),
  ]);
  expect(lookedUp).toEqual(['stale']);
  expect(counted).toHaveLength(20);
  expect(await attempt('right')).toBe('in');
  time.now += 60_001;
  expect(await attempt('stale')).toBe('invalid_key');
  expect(lookedUp).toEqual(['stale', 'right', 'stale']);
});

test('admits a new key at once, even if it was wrong before and its address is throttled', async () => {
  const { right, guesses, attempt, exhaust } = open();
  expect(await attempt('new')).toBe('invalid_key');
  right.add('new');
  expect(await attempt('new')).toBe('invalid_key');
  guesses.recognise('api_key', 'new');
  expect(await attempt('new')).toBe('in');
  right.add('newer');
  await exhaust().catch(() => {});
  guesses.recognise('api_key', 'newer');
  expect(await attempt('newer')).toBe('in');
});

test('limits concurrent guesses like sequential ones', async () => {
  const { lookedUp, attempt } = open();
  const told = await Promise.all(Array.from({ length: 100 }, (_, guess) => attempt(`guess ${guess}`)));
  expect(told.filter((code) => code === 'invalid_key')).toHaveLength(20);
  expect(told.filter((code) => code === 'rate_limit_minute')).toHaveLength(80);
  expect(lookedUp).toHaveLength(20);
});

test('counts concurrent attempts with one key as one guess', async () => {
  const { lookedUp, attempt } = open();
  const told = await Promise.all(Array.from({ length: 60 }, () => attempt('right')));
  expect(new Set(told)).toEqual(new Set(['in']));
  lookedUp.splice(0);
  await Promise.all(Array.from({ length: 60 }, () => attempt('wrong')));
  expect(lookedUp).toEqual(['wrong']);
});

test('refuses a credential chosen by a person after too many failures, even if it was correct before', async () => {
  const { attempt, exhaust } = open();
  const chosen = { kind: 'operator', isGuessable: true } as const;
  expect(await attempt('right', chosen)).toBe('in');
  await exhaust(chosen);
  expect(await attempt('right', chosen)).toBe('rate_limit_minute');
});

test('counts kinds and addresses separately, and an IPv6 /64 network as one address', async () => {
  const { attempt, exhaust } = open();
  await exhaust({ address: '2001:db8:1:2::1' });
  expect(await attempt('x', { address: '2001:db8:1:2:ffff::9' })).toBe('rate_limit_minute');
  expect(await attempt('x', { address: '2001:db8:1:3::1' })).toBe('invalid_key');
  expect(await attempt('y', { address: '192.0.2.8' })).toBe('invalid_key');
  expect(await attempt('z', { address: '2001:db8:1:2::1', kind: 'operator' })).toBe('invalid_key');
});

test('treats a failed look-up as neither correct nor wrong', async () => {
  const { counted, guesses, attempt } = open();
  const broken = new TypeError('the database is away');
  for (let turn = 0; turn < 30; turn += 1) {
    const failing = guesses.check({ kind: 'api_key', address, credential: 'right' }, async () => {
      throw broken;
    });
    await expect(failing).rejects.toBe(broken);
  }
  expect(counted).toEqual([]);
  expect(await attempt('right')).toBe('in');
});

test('logs throttling at intervals for each kind, without the credential', async () => {
  const { lines, attempt, exhaust } = open();
  await exhaust();
  await attempt('geheim 1');
  await attempt('geheim 2');
  await attempt('x', { address: '192.0.2.9' });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', kind: 'api_key', address, msg: 'authentication failures throttled' },
  ]);
  expect(lines.join()).not.toContain('geheim');
});

test('counts the guesses for one session or account together, from whatever address, and no other’s', async () => {
  const { attempt } = open();
  const from = (at: number) => ({ address: `192.0.2.${at}`, subject: 'session of Ann' });
  for (let guess = 0; guess < 20; guess += 1)
    expect(await attempt(`guess ${guess}`, from(guess))).toBe('invalid_key');
  expect(await attempt('guess 20', from(20))).toBe('rate_limit_minute');
  expect(await attempt('guess 20', { address: '192.0.2.20', subject: 'session of Ben' })).toBe('invalid_key');
});

test('looks a name up each time, because it may become a correct one', async () => {
  const { right, attempt } = open();
  expect(await attempt('page', { isName: true })).toBe('invalid_key');
  right.add('page');
  expect(await attempt('page', { isName: true })).toBe('in');
});
