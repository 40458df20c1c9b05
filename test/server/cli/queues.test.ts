import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '../../../core/errors.ts';
import { start } from '../../../server/main.ts';
import { doParley } from '../../helpers/do-parley.ts';
import { openTestPipeline } from '../../helpers/open-test-pipeline.ts';

const { runtime, channel, receive } = await openTestPipeline();
const environment = { DATA_DIR: runtime.config.DATA_DIR, ADMIN_TOKEN: runtime.installation.adminToken };
const parley = (...args: readonly string[]) => doParley(['queues', ...args], environment);

beforeAll(async () => {
  const server = await start(runtime);
  afterAll(() => server.stop());
  await receive({ id: '1', chat: 'a', text: 'waits' }, { id: '2', chat: 'b', text: 'was given up' });
  await runtime.database.pool.query(`update inbound_event set failure = 'It broke.' where lane = 'b'`);
});

test('what waits is shown by queue and channel, with what can be done about what was given up', async () => {
  const { code, stdout, stderr } = await parley();
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^QUEUE +WAITING +DELAYED +ACTIVE +FAILED\n/)]);
  expect(stdout).toMatch(/^answer +2 +0 +0 +0$/m);
  expect(stdout).toMatch(
    /^CHANNEL +KIND +NAME +STATUS +HEARD +UNANSWERED +SINCE +LOST +UNSENT +SINCE +DEAD +FAILED$/m,
  );
  const row = `^${channel.id} +fake +Test +connecting +never +1 +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +1 +0 +0 +0$`;
  expect(stdout).toMatch(new RegExp(row, 'm'));
  expect(stderr).toBe('1 given up: try again with npm run parley -- queues retry answer\n');
});

test('of a channel whose platform takes nothing more it is said until when', async () => {
  await runtime.database.pool.query(
    `insert into send_budget (channel_id, key, spoken_until, held_until)
     values ($1, 'all', now(), now() + interval '5 minutes')`,
    [channel.id],
  );
  const { stdout, stderr } = await parley();
  expect(stdout).toMatch(new RegExp(`^${channel.id} +fake +Test +limited +never`, 'm'));
  expect(stderr).toMatch(
    new RegExp(`^${channel.id}: the platform takes nothing more until \\d\\d:\\d\\d:\\d\\d UTC$`, 'm'),
  );
  await runtime.database.pool.query('delete from send_budget');
});

test('the channels are shown also while the queue does not answer', async () => {
  const { depths } = runtime.queue;
  runtime.queue.depths = () => Promise.reject(new AppError('upstream_timeout'));
  const { code, stdout, stderr } = await parley();
  const { stdout: forPrograms } = await parley('--json');
  runtime.queue.depths = depths;
  expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^${channel.id} +fake +Test`, 'm'))]);
  expect(stdout).not.toContain('QUEUE');
  expect(stderr).toContain(
    'The queue does not respond. Check the Redis server (REDIS_URL). New messages wait until it is back.\n',
  );
  expect(JSON.parse(forPrograms)).toMatchObject({ queues: null, channels: [{ id: channel.id }] });
});

test('programs get the whole answer', async () => {
  const { stdout, stderr } = await parley('--json');
  expect(JSON.parse(stdout)).toMatchObject({
    queues: expect.arrayContaining([{ name: 'answer', waiting: 2, delayed: 0, active: 0, failed: 0 }]),
    channels: [{ id: channel.id, unanswered: 1, unanswerable: 1, stale: false }],
  });
  expect(stderr).toBe('');
});

test('what was given up is tried again, of one channel or of all', async () => {
  const none = await parley('retry', 'answer', '--channel', 'chan_none');
  expect(none).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('(channel_not_found)') });
  const one = await parley('retry', 'answer', '--channel', channel.id, '--json');
  expect([one.code, JSON.parse(one.stdout)]).toEqual([0, { retried: 1 }]);
  expect(await parley('retry', 'deliver')).toMatchObject({
    code: 0,
    stdout: 'There is nothing to try again.\n',
  });
});

test('a queue that keeps nothing is wrong usage, and the help tells what the columns mean', async () => {
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
