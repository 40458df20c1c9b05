import { Client, Events, GatewayIntentBits, type Message, Partials } from 'discord.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDiscordStandIn } from '../../helpers/platforms/discord/open-stand-in.ts';
import { discordSpec } from '../../helpers/platforms/discord/openapi.ts';

const discord = await openDiscordStandIn();
const { world, general, gateway } = discord;
const ana = world.newPerson('Ana');

/** discord.js against the stand-in: it must work as it does with Discord. */
describe("Discord's own client", () => {
  const client = new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.DirectMessages],
    partials: [Partials.Channel],
    rest: { api: discord.url, version: '10', retries: 0 },
  });
  client.on('error', () => {});
  const heard = (content: string) =>
    new Promise<Message>((resolve) => {
      client.on(Events.MessageCreate, (message) => {
        if (message.content === content) resolve(message);
      });
    });

  beforeAll(async () => {
    const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
    await client.login(world.token);
    await ready;
  });

  afterAll(() => client.destroy());

  test('logs in, receives messages, replies, and answers in a thread', async () => {
    const question = heard(`<@${world.bot.id}> hello`);
    discord.say(general, ana, `<@${world.bot.id}> hello`);
    const message = await question;
    await message.reply({ content: 'Hi', allowedMentions: { parse: [] } });
    const thread = await message.startThread({ name: 'hello' });
    await thread.send('In a thread');
    expect(thread.id).toBe(message.id);
    expect(discord.answers(general.id)).toMatchObject([{ content: 'Hi', type: 19 }]);
    expect(discord.answers(thread.id)).toMatchObject([{ content: 'In a thread' }]);
  });

  test('receives a command, shows "thinking", and replaces it with the answer', async () => {
    const commanded = new Promise<void>((resolve) => {
      client.once(Events.InteractionCreate, async (interaction) => {
        if (!interaction.isChatInputCommand()) return;
        await interaction.deferReply();
        await interaction.editReply(`You asked: ${interaction.options.getString('question')}`);
        resolve();
      });
    });
    const { state } = await discord.command(general, ana, 'ask', 'Why?');
    await commanded;
    expect(state()).toBe('answered');
    expect(discord.answers(general.id).at(-1)?.content).toBe('You asked: Why?');
  });

  test('resumes its session after a cut, and receives the missed messages', async () => {
    const missed = heard(`<@${world.bot.id}> while you were away`);
    gateway.cut();
    discord.say(general, ana, `<@${world.bot.id}> while you were away`);
    await missed;
    expect(gateway.count('resume')).toBe(1);
    const later = heard(`<@${world.bot.id}> again`);
    gateway.say(7);
    await gateway.until('resume', 2);
    discord.say(general, ana, `<@${world.bot.id}> again`);
    await later;
    expect(gateway.count('identify')).toBe(1);
  });
});

const call = async (method: string, path: string, body?: object, token = world.token) => {
  const response = await fetch(`${discord.url}/v10${path}`, {
    method,
    headers: { authorization: `Bot ${token}`, 'user-agent': 'DiscordBot (test, 1)' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: response.status === 204 ? null : await response.json() };
};

test.skipIf(discordSpec === null)(
  "calls that violate Discord's OpenAPI are refused (skipped if PEERS_DIR is not set)",
  async () => {
    const path = `/channels/${general.id}/messages`;
    for (const wrong of [
      { content: 5 },
      { content: 'x', components: [{ type: 1, components: [] }] },
      { content: 'x', nonce: 'x'.repeat(26) },
      { content: 'x', allowed_mentions: { parse: ['nobody'] } },
    ])
      expect(await call('POST', path, wrong)).toMatchObject({ status: 400, body: { code: 50035 } });
    expect(await call('GET', '/pigeons')).toMatchObject({ status: 400 });
  },
);

test('long, empty, unknown and unauthorised calls get Discord’s error codes', async () => {
  const path = `/channels/${general.id}/messages`;
  expect(await call('POST', path, { content: 'x'.repeat(2_001) })).toMatchObject({ status: 400 });
  expect(await call('POST', path, { content: ' ' })).toMatchObject({ body: { code: 50006 } });
  expect(await call('POST', '/channels/100000000000000000/messages', { content: 'x' })).toMatchObject({
    body: { code: 10003 },
  });
  expect(await call('POST', path, { content: 'x' }, 'wrong')).toMatchObject({ status: 401 });
});

test('a message with a known nonce is not sent again', async () => {
  const path = `/channels/${general.id}/messages`;
  const before = discord.answers(general.id).length;
  const body = { content: 'once', nonce: 'a-nonce', enforce_nonce: true };
  const [first, second] = [await call('POST', path, body), await call('POST', path, body)];
  expect(second.body).toEqual(first.body);
  expect(discord.answers(general.id)).toHaveLength(before + 1);
});

test('without the intent, messages that do not address the bot have no content', async () => {
  const [plain, named, direct] = [
    discord.say(general, ana, 'secret'),
    discord.say(general, ana, `<@${world.bot.id}> open`),
    discord.say(discord.direct(), ana, 'private'),
  ];
  const shown = [plain, named, direct].map((message) => world.shown(message, false).content);
  expect(shown).toEqual(['', `<@${world.bot.id}> open`, 'private']);
});
