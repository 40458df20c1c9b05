import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import type { AnswerWriter } from '../../../../core/contract/answer-writer.ts';
import type { AnyConnector } from '../../../../core/contract/connector.ts';
import { SecretBox } from '../../../../core/secrets/secret-box.ts';
import { runListenWorker } from '../../../../workers/listen/worker.ts';
import { fakeChannel } from '../../../helpers/platforms/fake/channel.ts';
import { openPipelineServer } from '../../../helpers/servers/open-pipeline-server.ts';
import { addTestChannel } from '../../../helpers/stores/add-test-channel.ts';

const writer: AnswerWriter = {
  async *write({ question }) {
    yield { text: `You asked: ${question}` };
  },
};
const listened: string[] = [];
const { connector } = fakeChannel();
const listening: AnyConnector = {
  ...connector,
  open: (account) => ({
    ...connector.open(account),
    intake: 'listener',
    async listen({ signal }) {
      listened.push(account.id);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
  }),
};
const logged: string[] = [];
const logLines = (channel: string) => logged.filter((line) => line.includes(channel));
const server = await openPipelineServer({
  settings: { strictness: 'fallback' },
  environment: { LOG_LEVEL: 'warn' },
  logged: new Writable({ write: (line: Buffer, _encoding, done) => done(void logged.push(line.toString())) }),
  alter: () => ({ writer }),
});
const { app, runtime, channel: poisoned, workspace, platform, operate } = server;
const { kysely } = runtime.database;
const { workspace: other } = await runtime.workspaces.create({ name: 'Other tenant' });
const { secretBox } = runtime.installation;
const readable = await addTestChannel(kysely, { workspaceId: other.id, channel: 'fake', secretBox });
const rowOf = (id: string) =>
  kysely.selectFrom('channel').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const good = await rowOf(poisoned.id);
const alter = (columns: object) =>
  kysely.updateTable('channel').set(columns).where('id', '=', poisoned.id).execute();
const words =
  /^The stored credentials of this channel cannot be read: .+ Enter all credentials of the channel again\.$/;

const place = { table: 'channel', column: 'credentials_encrypted', id: poisoned.id } as const;
const sealedElsewhere = new SecretBox(Buffer.alloc(32, 9)).seal('{}', place);
const poisons = [
  ['credentials that were encrypted with another key', { credentials_encrypted: sealedElsewhere }],
  ['malformed credentials', { credentials_encrypted: 'garbage' }],
  ['credentials that are not JSON', { credentials_encrypted: secretBox.seal('{', place) }],
  ['a secret that was encrypted with another key', { secret_encrypted: sealedElsewhere }],
  ['settings of another shape', { settings: sql`'[]'::jsonb` }],
] as const;

describe.sequential.each(poisons)('a channel with %s', async (_, columns) => {
  const poison = async () => {
    await alter({ ...columns, enabled: true });
    runtime.channelAccounts.forget();
  };
  const repair = async () => {
    const { credentials_encrypted, secret_encrypted } = good;
    await alter({ credentials_encrypted, secret_encrypted, settings: '{}' });
    runtime.channelAccounts.forget();
  };
  type Shown = { readonly id: string; readonly status: string; readonly last_error: string | null };
  const expectAlone = (channels: readonly Shown[]) => {
    expect(channels.find(({ id }) => id === poisoned.id)).toMatchObject({
      status: 'error',
      last_error: expect.stringMatching(words),
    });
    const others = channels.filter(({ id }) => id !== poisoned.id);
    expect(others.map(({ status }) => status)).not.toContain('error');
  };

  test('is shown as an error in lists and in the overview of queues, without affecting other channels', async () => {
    await poison();
    const overview = await operate('GET', '/queues');
    expect(overview.statusCode).toBe(200);
    expect(overview.json().channels).toHaveLength(2);
    expectAlone(overview.json().channels);
    for (const id of [workspace.id, other.id]) {
      const list = await operate('GET', `/workspaces/${id}/channels`);
      expect(list.statusCode).toBe(200);
      expect(list.json().channels).toHaveLength(1);
      if (id === workspace.id) expectAlone(list.json().channels);
    }
    const one = await operate('GET', `/workspaces/${workspace.id}/channels/${poisoned.id}`);
    expectAlone([one.json()]);
    await repair();
  });

  test('does not remove figures of other channels from the metrics', async () => {
    await poison();
    const headers = { authorization: `Bearer ${runtime.installation.adminToken}` };
    const { body } = await app.inject({ method: 'GET', url: '/metrics', headers });
    expect(body).toContain(`parley_channel_up{channel="fake",id="${poisoned.id}"} 0`);
    expect(body).toMatch(new RegExp(`^parley_channel_up\\{channel="fake",id="${readable}"\\} [01]$`, 'm'));
    expect(body).toContain('channel_unsent_parts{channel="fake"} 0');
    await repair();
  });

  test('is not listened to, while later channels are', async () => {
    await poison();
    listened.length = 0;
    const registry = { connectors: [listening], findConnector: () => listening };
    const stop = await runListenWorker({ ...runtime, connectors: registry });
    await vi.waitFor(() => expect(listened).toEqual([readable]), { timeout: 20_000, interval: 20 });
    await stop();
    await repair();
  });

  test('stores its events until it is readable again, while other channels are answered', async () => {
    await poison();
    await server.start();
    platform.sent.length = 0;
    const [own, others] = [crypto.randomUUID(), crypto.randomUUID()];
    await server.receive({ id: own, chat: own, text: 'Mine' });
    await server.receiveIn(readable, [{ id: others, chat: others, text: 'Theirs' }]);
    const sentTo = (chat: string) => platform.sent.filter((part) => part.chat === chat).length;
    await vi.waitFor(() => expect(sentTo(others)).toBe(1), { timeout: 20_000, interval: 20 });
    expect(sentTo(own)).toBe(0);
    await server.stop();
    await repair();
    await runtime.database.pool.query(
      `update inbound_event set settled_at = settled_at - interval '1 minute'`,
    );
    await server.start();
    await vi.waitFor(() => expect(sentTo(own)).toBe(1), { timeout: 20_000, interval: 20 });
    await server.stop();
  });

  test('makes its platform retry', async () => {
    await poison();
    const told = await app.inject({ method: 'POST', url: `/webhooks/${poisoned.id}`, payload: {} });
    expect([told.statusCode, told.json().code]).toEqual([503, 'event_not_stored']);
    await repair();
  });
});

test('is logged by name, once in a while', () => {
  const lines = logLines(poisoned.id).map((line) => JSON.parse(line));
  expect(lines.filter(({ msg }) => msg === 'channel credentials unreadable')).toMatchObject([
    { channel: poisoned.id, workspace: workspace.id },
  ]);
  expect(logged.join('')).not.toContain('"cannot be measured"');
});
