import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../core/base/clock.ts';
import { createLog } from '../../../core/base/log.ts';
import { duties } from '../../../core/health/duties.ts';
import { Readiness } from '../../../core/health/readiness.ts';
import { type Database, openDatabase } from '../../../core/storage/database.ts';
import { ProcessRegistry } from '../../../core/storage/process-registry.ts';
import { openTestRuntime } from '../../helpers/servers/open-test-runtime.ts';
import {
  createDatabase,
  openTestDatabase,
  testEngines,
} from '../../helpers/stores/databases/test-databases.ts';

const runtime = await openTestRuntime();
const { processes } = runtime;
const readinessOf = (parts: Partial<ConstructorParameters<typeof Readiness>[0]> = {}) =>
  new Readiness({ ...runtime, ...parts });
const kinds = duties.map(({ kind }) => kind);
const alive = { listLive: () => processes.listLive(), note() {} };

test('workers are starting until a process runs them, then every part is ok or unknown', async () => {
  expect(await readinessOf().parts()).toMatchObject({ database: 'ok', answer: 'starting' });
  await processes.addRole('workers', kinds);
  const readiness = readinessOf();
  await readiness.report({ isFresh: true });
  const ok = [...kinds, 'database', 'schema', 'index', 'queue', 'embedder', 'models', 'clock', 'disk'];
  expect(await readiness.parts()).toEqual({
    ...Object.fromEntries(ok.map((name) => [name, 'ok'])),
    backup: 'unknown',
  });
});

test('a failing part is named, and the others are still checked', async () => {
  const failing = { ping: () => Promise.reject(new TypeError('gone')) };
  expect(await readinessOf({ queue: failing }).parts()).toMatchObject({ database: 'ok', queue: 'degraded' });
});

test('a part that does not respond counts as failed', async () => {
  const silent = { engine: 'onnx', check: () => new Promise<never>(() => {}) } as const;
  const readiness = readinessOf({ embedder: silent });
  const parts = await readiness.parts();
  expect(parts).toMatchObject({ database: 'ok', embedder: 'failed' });
  expect(readiness.refusal(parts)).toMatchObject({ code: 'not_ready' });
});

test('an optional part times out before a load balancer does', async () => {
  const readiness = readinessOf({
    processes: { ...alive, canWrite: async () => true, listLive: () => new Promise<never>(() => {}) },
    queue: { ping: () => new Promise<never>(() => {}) },
    embedder: { engine: 'onnx', check: async () => {} },
  });
  const parts = readiness.parts();
  expect(await Promise.race([parts, wait(1_000, 'too late')])).toMatchObject({
    database: 'ok',
    queue: 'degraded',
    embedder: 'ok',
    answer: 'unknown',
  });
  expect(readiness.refusal(await parts)).toBeNull();
});

test('frequent checks are answered at once while a part is slow', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const slow = Promise.withResolvers<boolean>();
  const answers = [Promise.resolve(true), slow.promise];
  const canWrite = () => answers.shift() ?? Promise.resolve(false);
  const readiness = readinessOf({ processes: { ...alive, canWrite } });
  expect(await readiness.parts()).toMatchObject({ database: 'ok' });
  vi.advanceTimersByTime(1_500);
  expect(await readiness.parts()).toMatchObject({ database: 'ok' });
  expect(answers).toEqual([]);
  slow.resolve(false);
  await expect.poll(() => readiness.parts()).toMatchObject({ database: 'failed' });
  vi.useRealTimers();
});

test('a process without an embedding model has no embedder part', async () => {
  const check = () => Promise.reject(new TypeError('never asked'));
  const readiness = readinessOf({ embedder: { engine: 'none', check } });
  const parts = await readiness.parts();
  expect([parts.embedder, readiness.refusal(parts)]).toEqual([undefined, null]);
});

test('a part is logged when its state changes, not at each check', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const logged: { part?: string; state?: string; msg: string }[] = [];
  const told = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  let works = false;
  const flapping = { ping: async () => (works ? undefined : Promise.reject(new TypeError('gone'))) };
  const readiness = readinessOf({ queue: flapping, log: told });
  for (const now of [false, false, true, true]) {
    works = now;
    await readiness.parts();
    vi.advanceTimersByTime(10_000);
  }
  vi.useRealTimers();
  expect(logged.map(({ part, state, msg }) => [part, state, msg])).toEqual([
    ['queue', 'degraded', 'part failed'],
    ['queue', undefined, 'part recovered'],
  ]);
});

test('a process that is about to stop logs no part that it has closed', async () => {
  const logged: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
  const closed = { ping: () => Promise.reject(new TypeError('closed')) };
  const readiness = readinessOf({ queue: closed, log });
  readiness.leave();
  expect(await readiness.parts()).toMatchObject({ queue: 'degraded' });
  expect(logged).toEqual([]);
});

test('workers that are still starting are no failure, and those that are missing after a minute or end are', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const logged: string[] = [];
  const told = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
  let run = false;
  const live = { id: 'one', roles: kinds, startedAt: new Date(), seenSecondsAgo: 0, facts: {} };
  const registry = { ...alive, canWrite: async () => true, listLive: async () => (run ? [live] : []) };
  const lookAt = async (readiness: Readiness, afterMs: number) => {
    vi.advanceTimersByTime(afterMs);
    const { answer } = await readiness.parts();
    return [answer, ...new Set(logged.splice(0))];
  };
  const late = readinessOf({ processes: registry, log: told });
  expect(await lookAt(late, 10_000)).toEqual(['starting']);
  expect(await lookAt(late, 60_000)).toEqual(['degraded', 'part failed']);
  const ended = readinessOf({ processes: registry, log: told });
  expect(await lookAt(ended, 10_000)).toEqual(['starting']);
  run = true;
  expect(await lookAt(ended, 10_000)).toEqual(['ok']);
  run = false;
  expect(await lookAt(ended, 10_000)).toEqual(['degraded', 'part failed']);
  vi.useRealTimers();
});

function openRegistry({ kysely }: Database): ProcessRegistry {
  return new ProcessRegistry({
    database: kysely,
    clock: systemClock,
    log: createLog('silent'),
    alone: false,
  });
}

describe.each(testEngines)('a process on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const one = openRegistry(database);
  await one.open();

  test('can write to its database', async () => {
    expect(await one.canWrite()).toBe(true);
  });

  test('cannot write while heartbeats are rejected, and can as soon as one succeeds', async () => {
    await database.pool.query('alter table process rename to hidden');
    await expect(one.addRole('server')).rejects.toThrow();
    await expect(one.canWrite()).rejects.toThrow();
    await database.pool.query('alter table hidden rename to process');
    expect(await one.canWrite()).toBe(true);
  });
});

test.runIf(testEngines.includes('postgres'))('a process cannot write to a read-only database', async () => {
  const url = await createDatabase();
  const database = await openDatabase({ DATA_DIR: '', DATABASE_URL: url }, createLog('silent'));
  const one = openRegistry(database);
  await one.open();
  const { pool } = database;
  const every = async (text: string) => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => pool.connect()));
    for (const client of clients) {
      await client.query(text);
      client.release();
    }
  };
  await every('set default_transaction_read_only to on');
  expect(await one.canWrite()).toBe(false);
  await every('set default_transaction_read_only to off');
  expect(await one.canWrite()).toBe(true);
  await one.close();
  await database.close();
});
