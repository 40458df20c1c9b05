import { expect, test } from 'vitest';
import { AppError } from '../../../core/errors.ts';
import { type Attempt, type CredentialKind, GuessLimit } from '../../../core/limits/guess-limit.ts';
import { createLog } from '../../../core/log.ts';

const address = '192.0.2.7';

/** A limit with a clock of its own, and keys of which only those in `right` are right. */
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

test('the 21st wrong key of a minute is refused before it is looked up, and one more every three seconds', async () => {
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

test('a right key that is not known to this process is refused then too: else guessing would go on', async () => {
  const { attempt, exhaust } = open();
  await exhaust();
  expect(await attempt('right')).toBe('rate_limit_minute');
});

test('a key that was right before passes whatever its neighbours guess', async () => {
  const { attempt, exhaust } = open();
  expect(await attempt('right')).toBe('in');
  await exhaust();
  expect([await attempt('right'), await attempt('right'), await attempt('other')]).toEqual([
    'in',
    'in',
    'rate_limit_minute',
  ]);
});

test('a right key that is revoked is wrong from its next look-up on', async () => {
  const { right, attempt } = open();
  expect(await attempt('right')).toBe('in');
  right.delete('right');
  expect(await attempt('right')).toBe('invalid_key');
});

test('one wrong key that is repeated is looked up once a minute, and locks no neighbour out', async () => {
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

test('a key that is created passes at once, though it was wrong a moment ago and its address is throttled', async () => {
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

test('guesses that come at once are bounded as those that come in turn', async () => {
  const { lookedUp, attempt } = open();
  const told = await Promise.all(Array.from({ length: 100 }, (_, guess) => attempt(`guess ${guess}`)));
  expect(told.filter((code) => code === 'invalid_key')).toHaveLength(20);
  expect(told.filter((code) => code === 'rate_limit_minute')).toHaveLength(80);
  expect(lookedUp).toHaveLength(20);
});

test('one key that comes many times at once is one guess', async () => {
  const { lookedUp, attempt } = open();
  const told = await Promise.all(Array.from({ length: 60 }, () => attempt('right')));
  expect(new Set(told)).toEqual(new Set(['in']));
  lookedUp.splice(0);
  await Promise.all(Array.from({ length: 60 }, () => attempt('wrong')));
  expect(lookedUp).toEqual(['wrong']);
});

test('a credential that a person may have chosen is refused after too many failures, though it was right', async () => {
  const { attempt, exhaust } = open();
  const chosen = { kind: 'operator', isGuessable: true } as const;
  expect(await attempt('right', chosen)).toBe('in');
  await exhaust(chosen);
  expect(await attempt('right', chosen)).toBe('rate_limit_minute');
});

test('kinds and addresses are counted apart, an IPv6 /64 network as one address', async () => {
  const { attempt, exhaust } = open();
  await exhaust({ address: '2001:db8:1:2::1' });
  expect(await attempt('x', { address: '2001:db8:1:2:ffff::9' })).toBe('rate_limit_minute');
  expect(await attempt('x', { address: '2001:db8:1:3::1' })).toBe('invalid_key');
  expect(await attempt('y', { address: '192.0.2.8' })).toBe('invalid_key');
  expect(await attempt('z', { address: '2001:db8:1:2::1', kind: 'operator' })).toBe('invalid_key');
});

test('a look-up that fails is neither a right nor a wrong credential', async () => {
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

test('throttling is logged once in a while for each kind, without the credential', async () => {
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
