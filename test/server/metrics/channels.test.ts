import { expect, test, vi } from 'vitest';
import type { AnswerWriter } from '../../../core/contract/answer-writer.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import { Authority } from '../../../core/members/authority.ts';
import { fakeConnector } from '../../helpers/platforms/fake/connector.ts';
import { openPipelineServer } from '../../helpers/servers/open-pipeline-server.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

type App = Awaited<ReturnType<typeof openTestServer>>['app'];

/** The values by name and labels. */
async function samples(app: App, token: string): Promise<ReadonlyMap<string, number>> {
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await app.inject({ method: 'GET', url: '/metrics', headers });
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at))];
    }),
  );
}

const writer: AnswerWriter = {
  async *write({ question }) {
    yield { text: `You asked: ${question}` };
  },
};
const settled = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

test('reports backlog, durations and results of platform calls by kind of channel', async () => {
  const server = await openPipelineServer({
    settings: { strictness: 'fallback' },
    alter: () => ({ writer }),
  });
  const { app, runtime, platform, receive } = server;
  const read = () => samples(app, runtime.installation.adminToken);
  const before = await read();
  expect(before.get('channel_oldest_unanswered_seconds{channel="fake"}')).toBe(0);
  expect(before.get('channel_dead_parts{channel="fake"}')).toBe(0);
  expect(before.get('channel_held_back_seconds{channel="fake"}')).toBe(0);

  await receive({ id: '1', chat: 'a', text: 'hello' });
  await runtime.database.pool.query(`update inbound_event set received_at = now() - interval '90 seconds'`);
  const waiting = await read();
  const age = waiting.get('channel_oldest_unanswered_seconds{channel="fake"}') ?? 0;
  expect(age).toBeGreaterThanOrEqual(89);
  expect(age).toBeLessThan(150);
  expect(waiting.get('channel_unanswered_messages{channel="fake"}')).toBe(1);

  let tries = 0;
  platform.sending = async () => {
    tries += 1;
    if (tries === 1) throw new ConnectorError('Slow down', { advice: { retry: 'after', afterMs: 0 } });
  };
  await server.start();
  await settled(async () =>
    expect((await read()).get('channel_send_delay_seconds_count{channel="fake"}')).toBe(1),
  );
  const after = await read();
  expect(after.get('channel_oldest_unanswered_seconds{channel="fake"}')).toBe(0);
  expect(after.get('channel_unsent_parts{channel="fake"}')).toBe(0);
  expect(after.get('channel_answer_delay_seconds_count{channel="fake"}')).toBe(1);
  expect(after.get('channel_answer_delay_seconds_sum{channel="fake"}')).toBeGreaterThanOrEqual(89);
  expect(after.get('channel_answer_duration_seconds_sum{channel="fake"}')).toBeLessThan(89);
  expect(after.get('channel_calls_total{channel="fake",outcome="retry"}')).toBe(1);
  // The calls are the part itself and the typing indicator.
  expect(after.get('channel_calls_total{channel="fake",outcome="ok"}')).toBeGreaterThanOrEqual(2);

  platform.sending = async () => {
    throw new ConnectorError('Slow down', { advice: { retry: 'after', afterMs: 0 } });
  };
  await receive({ id: '2', chat: 'b', text: 'hello' });
  await settled(async () => {
    // The first attempt has failed, so the next one is the last.
    const { rowCount } = await runtime.database.pool.query(
      `update outbound_part set attempts = 7 where status = 'waiting' and attempts = 1`,
    );
    expect(rowCount).toBe(1);
  });
  await settled(async () => expect((await read()).get('channel_dead_parts{channel="fake"}')).toBe(1));
});

test('a channel is up while its platform is active, and stale when it is silent', async () => {
  let moment = Date.parse('2026-03-01T12:00:00Z');
  const clock = { now: () => new Date(moment) };
  const { app, runtime, makeWorkspace } = await openTestServer({
    runtime: { clock, connectors: [fakeConnector] },
  });
  const authority = Authority.operator(await makeWorkspace());
  const { id } = await runtime.channels.create(authority, {
    channel: 'fake',
    name: 'Fake',
    credentials: { token: 'token-quokka', signing_key: 'key-quagga' },
    settings: { mode: 'polling', verify: false },
    enabled: true,
  });
  const state = async () => {
    const told = await samples(app, runtime.installation.adminToken);
    const labels = `{channel="fake",id="${id}"}`;
    return [told.get(`parley_channel_up${labels}`), told.get(`parley_channel_stale${labels}`)];
  };
  expect(await state()).toEqual([0, 0]);
  await runtime.channelAccounts.recordActivity(id, clock.now());
  expect(await state()).toEqual([1, 0]);
  moment += 120_000;
  expect(await state()).toEqual([0, 1]);
  await runtime.channels.change(authority, id, { enabled: false });
  expect(await state()).toEqual([undefined, undefined]);
});
