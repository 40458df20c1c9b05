import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { start } from '../../../../server/main.ts';
import { doParley } from '../../../helpers/servers/processes/do-parley.ts';
import { openTestPipeline } from '../../../helpers/stores/open-test-pipeline.ts';

const { runtime, channel, receive } = await openTestPipeline();
const environment = { DATA_DIR: runtime.config.DATA_DIR, ADMIN_TOKEN: runtime.installation.adminToken };
const parley = (...args: readonly string[]) => doParley(['queues', ...args], environment);

beforeAll(async () => {
  const server = await start(runtime);
  afterAll(() => server.stop());
  await receive({ id: '1', chat: 'a', text: 'waits' }, { id: '2', chat: 'b', text: 'was given up' });
  await runtime.database.pool.query(`update inbound_event set failure = 'It broke.' where lane = 'b'`);
});

test('shows the backlog by queue and channel, and how to retry failed jobs', async () => {
  const { code, stdout, stderr } = await parley();
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^QUEUE +WAITING +DELAYED +ACTIVE +FAILED\n/)]);
  expect(stdout).toMatch(/^answer +2 +0 +0 +0$/m);
  expect(stdout).toMatch(
    /^CHANNEL +KIND +NAME +STATUS +HEARD +UNANSWERED +SINCE +LOST +UNSENT +SINCE +DEAD +FAILED$/m,
  );
  const row = `^${channel.id} +fake +Test +connecting +never +1 +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +1 +0 +0 +0$`;
  expect(stdout).toMatch(new RegExp(row, 'm'));
  expect(stderr).toBe('1 failed. Retry with: npm run parley -- queues retry answer\n');
});

test('prints until when a platform limits the rate', async () => {
  await runtime.database.pool.query(
    `insert into send_budget (channel_id, key, spoken_until, held_until)
     values ($1, 'all', now(), now() + interval '5 minutes')`,
    [channel.id],
  );
  const { stdout, stderr } = await parley();
  expect(stdout).toMatch(new RegExp(`^${channel.id} +fake +Test +limited +never`, 'm'));
  expect(stderr).toMatch(
    new RegExp(`^${channel.id}: rate limited by the platform until \\d\\d:\\d\\d:\\d\\d UTC$`, 'm'),
  );
  await runtime.database.pool.query('delete from send_budget');
});

test('shows the channels even if the queue is unavailable', async () => {
  const { depths } = runtime.queue;
  runtime.queue.depths = () => Promise.reject(new AppError('upstream_timeout'));
  const { code, stdout, stderr } = await parley();
  const { stdout: forPrograms } = await parley('--json');
  runtime.queue.depths = depths;
  expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^${channel.id} +fake +Test`, 'm'))]);
  expect(stdout).not.toContain('QUEUE');
  expect(stderr).toContain(
    'The queue is unavailable. Check Redis (REDIS_URL). Messages that arrive meanwhile are stored.\n',
  );
  expect(JSON.parse(forPrograms)).toMatchObject({ queues: null, channels: [{ id: channel.id }] });
});

test('prints the complete response as JSON', async () => {
  const { stdout, stderr } = await parley('--json');
  expect(JSON.parse(stdout)).toMatchObject({
    queues: expect.arrayContaining([{ name: 'answer', waiting: 2, delayed: 0, active: 0, failed: 0 }]),
    channels: [{ id: channel.id, unanswered: 1, unanswerable: 1, stale: false }],
  });
  expect(stderr).toBe('');
});

test('retries failed jobs of one channel or of all', async () => {
  const none = await parley('retry', 'answer', '--channel', 'chan_none');
  expect(none).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('(channel_not_found)') });
  const one = await parley('retry', 'answer', '--channel', channel.id, '--json');
  expect([one.code, JSON.parse(one.stdout)]).toEqual([0, { retried: 1 }]);
  expect(await parley('retry', 'deliver')).toMatchObject({
    code: 0,
    stdout: 'There are no failed jobs to retry.\n',
  });
});

test('rejects a queue without stored failures, and explains the columns in the help', async () => {
  const [wrong, help] = await Promise.all([parley('retry', 'ingest'), parley('--help')]);
  expect(wrong).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/answer, deliver.*\n.*queues retry --help/),
  });
  expect(help).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/LOST and DEAD[\s\S]*queues retry deliver/),
  });
});
