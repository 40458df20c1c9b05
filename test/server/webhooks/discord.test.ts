import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fetchVisitorFile } from '../../helpers/servers/channels/fetch-visitor-file.ts';
import { holdQuestions } from '../../helpers/servers/channels/hold-questions.ts';
import { openDiscordServer } from '../../helpers/servers/channels/open-discord-server.ts';

const buttons = z.array(z.object({ components: z.array(z.object({ custom_id: z.string() })) }));

describe('Discord over the gateway', async () => {
  const { discord, said, eventually, runtime, channel, operate, makeWorkspace, addDocument, workspace } =
    await openDiscordServer('gateway');
  const { world, general } = discord;
  const [ana, rui] = [world.newPerson('Ana'), world.newPerson('Rui')];
  const us = `<@${world.bot.id}>`;
  const customIds = (room: string) =>
    buttons
      .parse(discord.answers(room).at(-1)?.components)
      .flatMap(({ components }) => components.map(({ custom_id }) => custom_id));
  await discord.gateway.until('heartbeat', 1);

  test('registers the commands when the channel is added', () => {
    expect(['connecting', 'connected']).toContain(channel.status);
    expect([...discord.state.commands.keys()]).toEqual(['ask', 'human']);
  });

  test('answers a question in a channel in its thread, with a typing indicator', async () => {
    const letGo = holdQuestions(runtime);
    const { id } = discord.say(general, ana, `${us} when are you open?`);
    const typing = `/channels/${general.id}/typing`;
    await eventually(() => expect(discord.calls.map(({ path }) => path)).toContain(typing));
    letGo();
    await eventually(() => expect(said(id)).toContain('nine to five'));
    expect(world.rooms.get(id)).toMatchObject({ name: 'when are you open?' });
  });

  test('ignores messages between people and does not store them', async () => {
    discord.say(general, rui, 'when are we open?');
    const { id } = discord.say(general, ana, `${us} and when on Monday?`);
    await eventually(() => expect(said(id)).not.toBe(''));
    const rows = await runtime.database.kysely.selectFrom('message').select('content').execute();
    expect(rows.map(({ content }) => content)).not.toContain('when are we open?');
  });

  test('follow-ups in its own thread need no mention, and deletions are recorded', async () => {
    const question = discord.say(general, ana, `${us} open on Tuesday?`);
    await eventually(() => expect(said(question.id)).toContain('nine to five'));
    const thread = world.rooms.get(question.id);
    if (thread === undefined) throw new TypeError('no thread');
    discord.say(thread, ana, 'And when are you open on Wednesday?');
    await eventually(() => expect(discord.answers(question.id)).toHaveLength(2));
    discord.remove(general, question);
    const handled = () =>
      runtime.database.kysely
        .selectFrom('inbound_event')
        .select('handled_at')
        .where('event_id', '=', `deletion:${question.id}`)
        .where('handled_at', 'is not', null)
        .execute();
    await eventually(async () => expect(await handled()).toHaveLength(1));
  });

  test('answers a direct message there', async () => {
    const room = discord.direct();
    discord.say(room, ana, 'When are you open?');
    await eventually(() => expect(said(room.id)).toContain('nine to five'));
  });

  test('answers an edited message that now mentions the bot, once', async () => {
    const message = discord.say(general, ana, 'when are you open?');
    discord.edit(general, message, `${us} when are you open?`);
    await eventually(() => expect(said(message.id)).toContain('nine to five'));
    discord.edit(general, message, `${us} when are you open on Monday?`);
    const kept = () =>
      runtime.database.kysely
        .selectFrom('message')
        .select('content')
        .where('content', '=', 'when are you open on Monday?')
        .execute();
    await eventually(async () => expect(await kept()).toHaveLength(1));
    expect(discord.answers(message.id)).toHaveLength(1);
  });

  test('a message with characters that a database cannot store does not block others', async () => {
    const room = discord.direct();
    discord.say(room, ana, 'When \0are you open?');
    await eventually(() => expect(said(room.id)).toContain('nine to five'));
  });

  test('answers a file with a sentence, and fetches it from Discord on request', async () => {
    const room = discord.direct();
    const more = { attachments: [discord.file('rose.txt', { body: 'a rose' })] };
    const message = discord.say(room, ana, '', more);
    await eventually(() => expect(said(room.id)).toContain('cannot read'));
    const fetched = () => fetchVisitorFile({ runtime, operate, workspace });
    const file = await fetched();
    expect([file.statusCode, file.body]).toEqual([200, 'a rose']);
    expect(file.headers['content-disposition']).toContain('rose.txt');
    world.messages.set(
      room.id,
      discord.answers(room.id).filter(({ id }) => id !== message.id),
    );
    const gone = await fetched();
    expect([gone.statusCode, gone.json()]).toMatchObject([
      404,
      { code: 'attachment_not_found', detail: 'Unknown Message' },
    ]);
  });

  test('acknowledges /ask and replaces the placeholder with the answer', async () => {
    const { state } = await discord.command(general, rui, 'ask', 'When are you open?');
    await eventually(() => expect(state()).toBe('answered'));
    expect(discord.answers(general.id)).toMatchObject([{ type: 20 }]);
  });

  test('stores a press on a button below an answer as feedback and acknowledges it', async () => {
    const message = discord.answers(general.id).at(-1);
    const [up = ''] = customIds(general.id);
    if (message === undefined) throw new TypeError('nothing to press');
    const { state } = await discord.press(general, rui, { id: up, message });
    await eventually(() => expect(state()).toBe('deferred'));
    const rows = () =>
      runtime.database.kysely
        .selectFrom('message')
        .select('feedback')
        .where('feedback', 'is not', null)
        .execute();
    await eventually(async () => expect(await rows()).toEqual([{ feedback: 'up' }]));
  });

  test('a press on the agent button escalates, and the bot is silent afterwards', async () => {
    const room = discord.direct();
    discord.say(room, rui, 'When are you open?');
    await eventually(() => expect(said(room.id)).toContain('nine to five'));
    const message = discord.answers(room.id).at(-1);
    if (message === undefined) throw new TypeError('nothing to press');
    const human = customIds(room.id).at(-1) ?? '';
    await discord.press(room, rui, { id: human, message });
    await eventually(() => expect(said(room.id)).toContain('passed this conversation on'));
    discord.say(room, rui, 'Hello?');
    const statuses = () =>
      runtime.database.kysely
        .selectFrom('message')
        .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
        .select(['message.role', 'conversation.status'])
        .where('message.content', '=', 'Hello?')
        .execute();
    await eventually(async () =>
      expect(await statuses()).toMatchObject([{ role: 'user', status: 'escalated' }]),
    );
  });

  test('answers two commands of one person', async () => {
    const asked = [
      await discord.command(general, ana, 'ask', 'When are you open?'),
      await discord.command(general, ana, 'ask', 'And on Tuesday, when are you open?'),
    ];
    await eventually(() => expect(asked.map(({ state }) => state())).toEqual(['answered', 'answered']));
  });

  test('does not answer other bots, and leaves no pending work', async () => {
    discord.say(general, { ...rui, id: world.newId(), bot: true }, `${us} beep`);
    await eventually(async () => {
      const left = await runtime.database.kysely
        .selectFrom('inbound_event')
        .select(['event_id', 'failure'])
        .where('handled_at', 'is', null)
        .execute();
      expect(left).toEqual([]);
    });
  });

  test('resumes the session after a disconnect, and answers missed messages once', async () => {
    discord.gateway.cut();
    const { id } = discord.say(general, ana, `${us} are you open on weekdays?`);
    await eventually(() => expect(said(id)).toContain('nine to five'));
    const later = discord.say(general, ana, `${us} open on weekdays?`);
    await eventually(() => expect(said(later.id)).toContain('nine to five'));
    expect(discord.answers(id)).toHaveLength(1);
  });

  test('a server with its own channel is answered from that workspace, by the same bot', async () => {
    const other = await makeWorkspace({});
    await addDocument(other.id, '# Opening hours\n\nThe club is open at noon only.');
    const added = await operate('POST', `/workspaces/${other.id}/channels`, {
      channel: 'discord',
      name: 'Club',
      parent: channel.id,
      settings: { guild_id: world.guildId },
    });
    expect(added.statusCode, added.body).toBe(201);
    const { id } = discord.say(general, ana, `${us} when are you open?`);
    await eventually(() => expect(said(id)).toContain('at noon only'));
    const thread = world.rooms.get(id);
    if (thread === undefined) throw new TypeError('no thread');
    discord.say(thread, ana, 'And when on Monday are you open?');
    await eventually(() => expect(discord.answers(id)).toHaveLength(2));
    const room = discord.direct();
    discord.say(room, ana, 'When are you open?');
    await eventually(() => expect(said(room.id)).toContain('nine to five'));
  });
});

describe('Discord by interactions', async () => {
  const { discord, eventually, channel, address, runtime, operate, workspace } =
    await openDiscordServer('interactions');
  const { world, general } = discord;
  const ana = world.newPerson('Ana');

  test('sets the interactions endpoint, which Discord verifies first', () => {
    expect(channel.status).toBe('connected');
    expect(world.application.interactions_endpoint_url).toBe(`${address}/webhooks/${channel.id}`);
  });

  test('acknowledges /ask immediately and answers it from the documents', async () => {
    const { state } = await discord.command(general, ana, 'ask', 'When are you open?');
    expect(state()).not.toBe('new');
    await eventually(() => expect(discord.answers(general.id).at(-1)?.content).toContain('nine to five'));
    expect(state()).toBe('answered');
  });

  test('/human escalates to an agent', async () => {
    const room = discord.direct();
    await discord.command(room, ana, 'human', 'my order is lost');
    await eventually(() =>
      expect(discord.answers(room.id).at(-1)?.content).toContain('passed this conversation on'),
    );
  });

  test('rejects requests that Discord did not sign, and stores nothing', async () => {
    const { native } = await discord.command(general, ana, 'ask', 'When are you open?');
    const body = JSON.stringify({ ...native, id: world.newId() });
    const headers = { ...discord.signed(`${body} `) };
    const response = await fetch(`${address}/webhooks/${channel.id}`, { method: 'POST', headers, body });
    expect(response.status).toBe(401);
    const old = discord.signed(body, Date.now() - 3_600_000);
    const late = await fetch(`${address}/webhooks/${channel.id}`, { method: 'POST', headers: old, body });
    expect(late.status).toBe(401);
    const rows = await runtime.database.kysely
      .selectFrom('inbound_event')
      .select('event_id')
      .where('channel_id', '=', channel.id)
      .execute();
    expect(rows).toHaveLength(3);
  });

  test('answers /ask and its buttons privately if configured', async () => {
    const path = `/workspaces/${workspace.id}/channels/${channel.id}`;
    await operate('PATCH', path, { settings: { private_answers: true } });
    const room = world.newRoom(0);
    await discord.command(room, ana, 'ask', 'When are you open?');
    await eventually(() => expect(discord.answers(room.id).at(-1)?.content).toContain('nine to five'));
    const [message] = discord.answers(room.id);
    if (message === undefined) throw new TypeError('nothing to press');
    const ids = buttons.parse(message.components).flatMap(({ components }) => components);
    await discord.press(room, ana, { id: ids.at(-1)?.custom_id ?? '', message });
    await eventually(() =>
      expect(discord.answers(room.id).at(-1)?.content).toContain('passed this conversation on'),
    );
    expect(discord.answers(room.id).map(({ flags }) => flags)).toEqual([64, 64]);
  });

  test('a removed channel is disconnected at Discord too', async () => {
    const removed = await operate('DELETE', `/workspaces/${workspace.id}/channels/${channel.id}`);
    expect(removed.statusCode).toBe(204);
    expect(world.application.interactions_endpoint_url).toBeNull();
  });
});
