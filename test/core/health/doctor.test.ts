import { expect, test } from 'vitest';
import { examine, type Finding } from '../../../core/health/doctor.ts';
import { Readiness } from '../../../core/health/readiness.ts';
import { ProviderFailure } from '../../../core/models/provider-failure.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { testConfig } from '../../helpers/servers/open-test-runtime.ts';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';

const { runtime, channel } = await openTestPipeline();

/** Returns the finding about a part, given what is different about the runtime. */
async function find(part: string, different: Partial<Runtime> = {}): Promise<Finding | undefined> {
  const findings = await examine({ ...runtime, ...different });
  return findings.find((finding) => finding.part.startsWith(part));
}

const withConfig = (environment: Readonly<Record<string, string>>) => ({
  config: testConfig({ DATA_DIR: runtime.config.DATA_DIR, ...environment }),
});

test('parts that work are ok, without advice', async () => {
  const findings = await examine(runtime);
  const good = findings.filter(({ state }) => state === 'ok');
  expect(good.map(({ part }) => part)).toEqual(
    expect.arrayContaining(['data folder', 'database', 'queue', 'models']),
  );
  expect(good.every(({ advice }) => advice === null)).toBe(true);
  expect(findings.filter(({ state }) => state === 'fail')).toEqual([]);
});

test('a weak token and workers that may still start are warnings', async () => {
  const weak = { installation: { ...runtime.installation, adminToken: 'a-token-for-the-tests' } };
  expect(await find('configuration', weak)).toMatchObject({ state: 'warn', advice: expect.anything() });
  expect(await find('worker answer')).toMatchObject({
    state: 'warn',
    advice: expect.stringContaining('npm start'),
  });
});

test('a folder, a database and a queue that do not work fail, with what to do', async () => {
  expect(await find('data folder', withConfig({ DATA_DIR: '/proc/none' }))).toMatchObject({
    state: 'fail',
    advice: expect.stringContaining('DATA_DIR'),
  });
  const { processes, queue } = runtime;
  const readOnly: Runtime['processes'] = Object.assign(Object.create(processes), {
    canWrite: async () => false,
  });
  const noWrites = new Readiness({ ...runtime, processes: readOnly });
  expect(await find('database', { readiness: noWrites })).toMatchObject({ state: 'fail' });
  const noQueue = { ...queue, ping: () => Promise.reject(new Error('refused')) };
  const noJobs = new Readiness({ ...runtime, queue: noQueue, ...withConfig({ REDIS_URL: 'redis://r' }) });
  expect(await find('queue', { readiness: noJobs })).toMatchObject({
    state: 'fail',
    advice: expect.stringContaining('REDIS_URL'),
  });
});

test('a database of another version fails, and says which one to start', async () => {
  const { pool } = runtime.database;
  await pool.query(`insert into migration (name) values ('9999-future')`);
  expect(await find('schema')).toMatchObject({ state: 'fail', text: expect.stringContaining('newer') });
  await pool.query(`delete from migration where name = '9999-future'`);
  await pool.query(`update migration set hash = 'x' where name = 'triggers'`);
  expect(await find('schema')).toMatchObject({ state: 'fail', text: expect.stringContaining('older') });
});

test('each model that does not answer fails, with the variable that names it', async () => {
  const failure = new ProviderFailure('misconfigured', { cause: 'no such key: the-secret-key' });
  const checkModels = async () => [
    { model: 'openai:a', failure: null },
    { model: 'openai:b', failure },
    { model: 'openai:d', variable: 'VISION_MODEL' as const, failure },
  ];
  const reranker = Object.assign(Object.create(null), { model: 'cohere:c', check: async () => failure });
  const findings = await examine({ ...runtime, checkModels, reranker });
  expect(findings.filter(({ part }) => / (openai|cohere):/.test(part))).toEqual([
    { part: 'model openai:a', state: 'ok', text: 'It answers.', advice: null },
    {
      part: 'model openai:b',
      state: 'fail',
      text: 'It does not answer: misconfigured.',
      advice: expect.stringContaining('LLM_MODELS'),
    },
    expect.objectContaining({
      part: 'vision model openai:d',
      state: 'fail',
      advice: expect.stringContaining('VISION_MODEL'),
    }),
    expect.objectContaining({
      part: 'reranker cohere:c',
      state: 'fail',
      advice: expect.stringContaining('RERANK_MODEL'),
    }),
  ]);
  expect(JSON.stringify(findings)).not.toContain('the-secret-key');
});

test.each([
  ['https://help.example.com', 'ok'],
  ['http://help.example.com', 'warn'],
  ['https://help.example.com/parley', 'warn'],
  ['https://localhost:8080', 'warn'],
  ['https://10.0.0.7', 'warn'],
  ['https://[::1]', 'warn'],
  ['https://parley', 'warn'],
])('the public URL %s is %s', async (address, state) => {
  expect(await find('public URL', withConfig({ PUBLIC_URL: address }))).toMatchObject({ state });
});

test('a channel shows its last state: an error fails', async () => {
  expect(await find(`channel ${channel.id}`)).toMatchObject({ state: 'warn' });
  await runtime.database.pool.query(`update channel set status = 'error', last_error = 'Token revoked.'`);
  expect(await find(`channel ${channel.id}`)).toMatchObject({ state: 'fail', text: 'Token revoked.' });
});

test('a part that cannot be checked fails, and the others are still checked', async () => {
  const channels: Runtime['channels'] = Object.assign(Object.create(runtime.channels), {
    all: () => Promise.reject(new Error('connection lost')),
  });
  expect(await find('channels', { channels })).toMatchObject({
    state: 'fail',
    text: expect.stringContaining('lost'),
  });
  expect(await find('queue', { channels })).toMatchObject({ state: 'ok' });
});
