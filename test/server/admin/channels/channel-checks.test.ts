import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { telegramFixture } from '../../../helpers/platforms/telegram/fixture.ts';
import { openTelegramServer } from '../../../helpers/servers/channels/open-telegram-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const hub = await openTelegramServer('webhook');
const { app, runtime, operate, telegram, workspace, channel, eventually } = hub;
const channels = `/workspaces/${workspace.id}/channels`;
const path = `${channels}/${channel.id}`;

const checksSchema = z.object({
  state: z.string(),
  checks: z.array(
    z.object({ id: z.string(), state: z.string(), at: z.string().nullable(), detail: z.string().nullable() }),
  ),
});
const checks = async () => checksSchema.parse((await operate('GET', `${path}/checks`)).json());
const statesOf = async () => Object.fromEntries((await checks()).checks.map(({ id, state }) => [id, state]));
const stateOf = async () =>
  (await operate('GET', `/workspaces/${workspace.id}/channel-states`)).json().states[0];

describe('the kinds of channels', async () => {
  const { kinds } = (await operate('GET', '/channel-kinds?name=Help')).json();

  test('are eleven, each with its set-up steps and the schema of its fields', () => {
    expect(kinds.map(({ kind }: { kind: string }) => kind)).toEqual([
      'slack',
      'discord',
      'telegram',
      'whatsapp',
      'sms',
      'voice',
      'email',
      'intercom',
      'widget',
      'hosted',
      'api',
    ]);
    for (const kind of kinds) {
      expect(kind.guide.steps.length, kind.kind).toBeGreaterThan(1);
      expect(kind.credentials.type, kind.kind).toBe('object');
    }
  });

  test('name the secrets, and whether the platform has to reach this installation', () => {
    const find = (name: string) => kinds.find(({ kind }: { kind: string }) => kind === name);
    expect(find('telegram').credentials.properties.bot_token).toMatchObject({
      format: 'password',
      description: 'The token of the bot from BotFather.',
    });
    expect(find('discord').credentials.properties.public_key.format).toBeUndefined();
    expect([find('telegram'), find('intercom'), find('email')].map(({ public_url }) => public_url)).toEqual([
      'optional',
      'required',
      'unused',
    ]);
    const [creation] = find('slack').guide.steps;
    expect(creation.values[0]).toMatchObject({ name: 'app_manifest' });
    expect(creation.values[0].value).toContain('"name": "Help"');
  });
});

describe('the checks of a channel', () => {
  test('are green only for what was seen, and in the end all of them', async () => {
    expect(await statesOf()).toEqual({
      credentials: 'done',
      connection: 'waiting',
      signature: 'waiting',
      message: 'waiting',
      answer: 'waiting',
    });
    expect(await stateOf()).toMatchObject({ state: 'unproven', checks_done: 1, checks_total: 5 });

    const forged = await app.inject({ method: 'POST', url: `/webhooks/${channel.id}`, payload: {} });
    expect(forged.statusCode).toBe(401);
    await eventually(async () => expect(await statesOf()).toMatchObject({ signature: 'failed' }));
    expect(await statesOf()).toMatchObject({ connection: 'done', message: 'waiting' });

    const update = telegramFixture('private-question');
    telegram.chats.add(z.object({ chat: z.object({ id: z.int() }) }).parse(update.message).chat.id);
    await telegram.tell(update);
    await eventually(async () =>
      expect(await statesOf()).toEqual({
        credentials: 'done',
        connection: 'done',
        signature: 'done',
        message: 'done',
        answer: 'done',
      }),
    );
    expect(await stateOf()).toMatchObject({ state: 'live', questions: 1, replies: 1, waiting_parts: 0 });
  });

  test('keep what was proven after the rows that proved it are gone', async () => {
    const before = await checks();
    await runtime.channelAccounts.recordActivity(channel.id, new Date(Date.now() + 60_000));
    await runtime.database.kysely.deleteFrom('inbound_event').execute();
    await runtime.database.kysely.deleteFrom('outbound_part').execute();
    const after = await checks();
    const timesOf = ({ checks: all }: typeof after) =>
      all.flatMap(({ id, at }) => (id === 'message' || id === 'answer' ? [at] : []));
    expect(timesOf(after)).toEqual(timesOf(before));
  });

  test('show the words of the platform that refuses the credentials, until it accepts them again', async () => {
    telegram.trouble('getMe', { kind: 'blocked' });
    const refused = (await operate('POST', `${path}/check`)).json();
    expect([refused.state, refused.checks[0]]).toMatchObject([
      'refused',
      { id: 'credentials', state: 'failed', detail: expect.stringContaining('bot was blocked by the user') },
    ]);
    const healed = (await operate('POST', `${path}/check`)).json();
    expect([healed.state, healed.checks[0]]).toMatchObject(['live', { state: 'done', detail: null }]);
  });

  test('give the steps that need the address of the channel', async () => {
    const { guide, channel: shown } = (await operate('GET', `${path}/checks`)).json();
    expect(shown.webhook_url).toContain(channel.id);
    expect(guide.steps.map(({ phase }: { phase: string }) => phase)).toEqual(['before', 'add', 'after']);
  });
});

describe('deliveries and failures', () => {
  test('are listed without contents, and what failed is retried', async () => {
    const update = telegramFixture('private-question');
    telegram.trouble('sendMessage', { kind: 'blocked' });
    await telegram.tell({ ...update, update_id: update.update_id + 100 });
    const failures = async () => (await operate('GET', `${path}/failures`)).json().failures;
    await eventually(async () => expect(await failures()).toHaveLength(1));
    expect((await failures())[0]).toMatchObject({
      queue: 'deliver',
      reason: expect.stringContaining('blocked'),
      retriable: false,
    });
    const listed = await operate('GET', `${path}/deliveries`);
    expect(listed.json().deliveries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ direction: 'in', outcome: 'answered', ms: expect.any(Number) }),
        expect.objectContaining({ direction: 'out', outcome: 'failed' }),
      ]),
    );
    expect(listed.body).not.toContain('weekdays');
    expect((await operate('POST', `${path}/retry`)).json()).toEqual({ retried: 0 });
  });

  test('of a channel of another workspace are not found', async () => {
    const other = await hub.makeWorkspace();
    for (const part of ['checks', 'deliveries', 'failures']) {
      const answer = await operate('GET', `/workspaces/${other.id}/channels/${channel.id}/${part}`);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'channel_not_found']);
    }
  });
});

test('changes of channels are in the audit log, with the person and the names of the fields', async () => {
  const ben = await signInPerson(hub, {
    email: 'ben@shop.example',
    role: 'owner',
    ownerId: workspace.owner,
  });
  const url = `/admin/v1${channels}`;
  const added = await ben.call('POST', url, {
    channel: 'hosted',
    name: 'Page',
    settings: { slug: 'audited' },
  });
  const { id } = added.json();
  await ben.call('PATCH', `${url}/${id}`, { settings: { title: 'Secret title' } });
  await ben.call('DELETE', `${url}/${id}`);
  const entries = await runtime.database.kysely
    .selectFrom('audit_entry')
    .select(['action', 'actor', 'details'])
    .where('workspace_id', '=', workspace.id)
    .where('actor', '=', 'ben')
    .orderBy('at')
    .orderBy('id')
    .execute();
  expect(entries.filter(({ action }) => action.startsWith('channel'))).toEqual([
    { action: 'channel_created', actor: 'ben', details: { channel: id, kind: 'hosted', name: 'Page' } },
    {
      action: 'channel_changed',
      actor: 'ben',
      details: { channel: id, kind: 'hosted', name: 'Page', fields: ['settings.title'] },
    },
    { action: 'channel_deleted', actor: 'ben', details: { channel: id, kind: 'hosted', name: 'Page' } },
  ]);
});
