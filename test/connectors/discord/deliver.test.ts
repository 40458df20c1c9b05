import { beforeEach, describe, expect, test } from 'vitest';
import { discord as connector } from '../../../connectors/discord/discord.ts';
import type { Address } from '../../../connectors/discord/identifiers.ts';
import { INTERACTION_TOKEN_MS } from '../../../connectors/discord/interactions.ts';
import type { ConversationRef } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { Reply } from '../../../core/contract/outbound.ts';
import { plainReply } from '../../helpers/models/plain-reply.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { accountOn } from '../../helpers/platforms/discord/account.ts';
import { openDiscordStandIn } from '../../helpers/platforms/discord/open-stand-in.ts';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { longestReply } from '../contract/longest-reply.ts';

const discord = await openDiscordStandIn();
const { world } = discord;
const ana = world.newPerson('Ana');
const tools = connectorTools({ now: () => new Date() });
let account = accountOn(discord);
let { general } = discord;
let parts = 0;

const at = (address: Address, lane = address.channel): ConversationRef => ({ lane, address });
const inThread = () => at({ kind: 'thread', channel: general.id, interaction: null });

async function send(reply: Partial<Reply>, to: ConversationRef, keys: readonly string[] = []) {
  const receipts = [];
  for (const [index, part] of connector.open(account).render(plainReply(reply), to).entries()) {
    parts += 1;
    receipts.push(
      await connector.open(account).deliver({ ...part, key: keys[index] ?? `${parts}` }, to, tools),
    );
  }
  return receipts;
}

async function failure(sending: Promise<unknown>): Promise<ConnectorError> {
  const error = await sending.catch((thrown: unknown) => thrown);
  if (error instanceof ConnectorError) return error;
  throw new TypeError('it did not fail with a ConnectorError');
}

const said = (room = general.id) => discord.answers(room).map(({ content }) => content);
const question = () => {
  const { id } = discord.say(general, ana, `<@${world.bot.id}> open?`);
  const place = { channel: general.id, message: id, user: ana.id, title: 'open?', interaction: null };
  return at({ kind: 'question', ...place }, id);
};

beforeEach(() => {
  // Rate limits of one test must not affect the next.
  account = accountOn(discord);
  general = world.newRoom(0);
  discord.calls.splice(0);
  discord.threadless.clear();
});

describe('sending', () => {
  test('the longest reply arrives complete and in order, without mentions and previews', async () => {
    await send(longestReply, inThread());
    expect(said().length).toBeGreaterThan(4);
    expect(said()[0]).toContain('Sentence 0 ');
    expect(said().join('\n')).toContain('The end.');
    const bodies = discord.calls.map(({ body }) => body);
    expect(bodies.every(({ flags }) => flags === 4)).toBe(true);
    expect(bodies.map(({ allowed_mentions }) => allowed_mentions)).toEqual(bodies.map(() => ({ parse: [] })));
    expect(bodies.map(({ components }) => Object(components).length)).toEqual([
      ...Array(bodies.length - 1).fill(0),
      1,
    ]);
  });

  test.each([
    ['de', 'Mit einem Menschen sprechen'],
    ['fr', 'Parler à une personne'],
    [undefined, 'Talk to a person'],
  ])('the button for a person has a label in the visitor’s language: %s', async (language, label) => {
    await send({ text: 'open', offers: ['human'], ...(language && { language }) }, inThread());
    expect(discord.answers(general.id)).toMatchObject([{ components: [{ components: [{ label }] }] }]);
  });

  test('the button that an unsure answer helped rates it', async () => {
    await send({ text: 'open', offers: ['helped', 'human'], language: 'de' }, inThread());
    const helped = { label: 'Das hat geholfen', custom_id: expect.stringMatching(/^parley:up:/) };
    expect(discord.answers(general.id)).toMatchObject([
      { components: [{ components: [helped, { label: 'Mit einem Menschen sprechen' }] }] },
    ]);
  });

  test('a retried part is sent once after a lost response; other parts are sent too', async () => {
    discord.trouble(/messages$/, { kind: 'cut-after' });
    expect(await failure(send({ text: 'once' }, inThread(), ['17']))).toMatchObject({
      advice: { retry: 'backoff' },
    });
    const [receipt] = await send({ text: 'once' }, inThread(), ['17']);
    await send({ text: 'once' }, inThread(), ['18']);
    expect(said()).toEqual(['once', 'once']);
    expect(receipt?.messageId).toBe(`${general.id}/${discord.answers(general.id)[0]?.id}`);
    const nonces = discord.calls.map(({ body }) => String(body.nonce));
    expect([nonces[0] === nonces[1], nonces[1] === nonces[2]]).toEqual([true, false]);
    expect(Math.max(...nonces.map(({ length }) => length))).toBeLessThanOrEqual(25);
  });

  test('a question in a channel is answered in one thread that is created from it', async () => {
    const to = question();
    const address = { kind: 'thread', channel: to.lane, interaction: null };
    expect(await send({ text: 'Hello' }, to)).toMatchObject([{ moved: { lane: to.lane, address } }]);
    await send({ text: 'again' }, to);
    expect(said(to.lane)).toEqual(['Hello', 'again']);
    expect(world.rooms.get(to.lane)).toMatchObject({ name: 'open?', parent_id: general.id });
  });

  test('without permission for threads the answer is a reply, and so are later ones', async () => {
    discord.threadless.add(general.id);
    const to = question();
    const [receipt] = await send({ text: 'Hello' }, to);
    expect(receipt?.moved).toMatchObject({ lane: to.lane, address: { kind: 'channel', user: ana.id } });
    expect(discord.answers(general.id)).toMatchObject([
      { content: 'Hello', type: 19, message_reference: { message_id: to.lane } },
    ]);
  });

  test('a temporary failure to create the thread is retried later', async () => {
    discord.trouble(/threads$/, { kind: 'garbled' });
    expect(await failure(send({ text: 'Hello' }, question()))).toMatchObject({
      advice: { retry: 'backoff' },
    });
    expect(said()).toEqual([]);
  });
});

describe('the answer to a command', () => {
  const asked = async (minutesAgo = 0) => {
    const { id, token } = await discord.command(general, ana, 'ask', 'open?');
    const waiting = discord.state.interactions.get(token);
    if (waiting !== undefined) waiting.state = 'deferred';
    const goodUntil = Date.now() + (14 - minutesAgo) * 60_000;
    const address: Address = {
      kind: 'channel',
      channel: general.id,
      user: ana.id,
      message: null,
      interaction: { token, goodUntil },
    };
    return { id, to: at(address, `${general.id}:${ana.id}`) };
  };

  test('replaces "thinking"; later messages do not replace the answer', async () => {
    const { to } = await asked();
    const [first, second] = await send({ text: 'a word. '.repeat(400) }, to);
    expect(first?.moved).toMatchObject({ lane: to.lane, address: { interaction: null } });
    expect(second?.moved).toBeUndefined();
    expect(discord.answers(general.id).map(({ type }) => type)).toEqual([20, 0]);
    await send({ text: 'I am a person', author: 'agent' }, first?.moved ?? to);
    expect(said()).toHaveLength(3);
  });

  test('an agent’s first message replaces "thinking" if there is no answer yet', async () => {
    const { to } = await asked();
    await send({ text: 'I am a person', author: 'agent' }, to);
    expect(discord.answers(general.id)).toMatchObject([{ type: 20 }]);
  });

  test('is a plain message once the token is expired or unknown', async () => {
    const { to } = await asked(15);
    await send({ text: 'late' }, to);
    const again = await asked();
    discord.trouble(/@original|%40original/, {
      kind: 'refused',
      status: 404,
      code: 10_015,
      message: 'Unknown Webhook',
    });
    await send({ text: 'unknown' }, again.to);
    expect(discord.answers(general.id).map(({ type, content }) => [type, content])).toEqual([
      [0, 'late'],
      [0, 'unknown'],
    ]);
  });

  test('waits while the acknowledgement of the command is in progress', async () => {
    const { token } = await discord.command(general, ana, 'ask', 'open?');
    const interaction = { token, goodUntil: Date.now() + INTERACTION_TOKEN_MS };
    const to = at({ kind: 'channel', channel: general.id, user: ana.id, message: null, interaction });
    expect(await failure(send({ text: 'open' }, to))).toMatchObject({
      advice: { retry: 'after', afterMs: 1_500 },
    });
    expect(said()).toEqual([]);
    await fetch(`${discord.url}/v10/interactions/1/${token}/callback`, {
      method: 'POST',
      headers: { 'user-agent': 'DiscordBot (test, 1)', 'content-type': 'application/json' },
      body: JSON.stringify({ type: 5 }),
    });
    await send({ text: 'open' }, to);
    expect(discord.answers(general.id)).toMatchObject([{ type: 20, content: 'open' }]);
  });

  test('is sent during a global rate limit of the bot', async () => {
    const { to } = await asked();
    discord.trouble(/messages$/, { kind: 'limited', retryAfter: 30, global: true });
    await failure(send({ text: 'x' }, inThread()));
    await send({ text: 'open' }, to);
    expect(discord.answers(general.id)).toMatchObject([{ type: 20, content: 'open' }]);
  });

  test('uses its token for further parts where the bot may not write', async () => {
    const { to } = await asked();
    const none = { kind: 'refused', status: 403, code: 50_001, message: 'Missing Access' } as const;
    discord.trouble(/channels\/\d+\/messages$/, none);
    await send({ text: 'a word. '.repeat(400) }, to);
    expect(discord.calls.map(({ method, path }) => `${method} ${path.split('/')[1]}`).slice(-3)).toEqual([
      'PATCH webhooks',
      'POST channels',
      'POST webhooks',
    ]);
    expect(said()).toHaveLength(2);
  });

  test('errors never contain the token', async () => {
    const { to } = await asked();
    discord.trouble(/original/, { kind: 'cut-before' });
    const error = await failure(send({ text: 'x' }, to));
    expect(`${error.message}${error.stack}${error.cause}`).not.toContain('token-of-');
  });
});

describe('the answer to a private command', () => {
  const asked = async (minutesAgo = 0) => {
    const { token } = await discord.command(general, ana, 'ask', 'open?');
    Object.assign(discord.state.interactions.get(token) ?? {}, { state: 'deferred', isPrivate: true });
    const goodUntil = Date.now() + (14 - minutesAgo) * 60_000;
    const interaction = { token, goodUntil, isPrivate: true as const };
    return at({ kind: 'channel', channel: general.id, user: ana.id, message: null, interaction });
  };

  test('is private in all its parts, and so are later messages of an agent', async () => {
    const to = await asked();
    const [first] = await send({ text: 'a word. '.repeat(400) }, to);
    await send({ text: 'I am a person', author: 'agent' }, first?.moved ?? to);
    expect(discord.answers(general.id).map(({ type, flags }) => [type, flags])).toEqual([
      [20, 64],
      [0, 64],
      [0, 64],
    ]);
    expect(said().at(-1)).toBe('I am a person');
  });

  test('is not sent at all, rather than sent publicly, after the token has expired', async () => {
    const failed = await failure(send({ text: 'late' }, await asked(15)));
    expect(failed).toMatchObject({
      message: expect.stringContaining('15 minutes'),
      advice: { retry: 'never' },
    });
    expect(said()).toEqual([]);
  });
});

describe('a refused call', () => {
  test('is retried after the exact time of the rate limit', async () => {
    discord.trouble(/messages$/, { kind: 'limited', retryAfter: 12.25 });
    expect(await failure(send({ text: 'x' }, inThread()))).toMatchObject({
      advice: { retry: 'after', afterMs: 12_250, limited: 'conversation' },
      account: false,
    });
  });

  test('delays all other calls if the rate limit is global', async () => {
    discord.trouble(/messages$/, { kind: 'limited', retryAfter: 30, global: true });
    const global = { advice: { retry: 'after', limited: 'account' } };
    expect(await failure(send({ text: 'x' }, inThread()))).toMatchObject(global);
    const before = discord.calls.length;
    expect(await failure(send({ text: 'y' }, inThread()))).toMatchObject(global);
    expect(discord.calls).toHaveLength(before);
  });

  test.each([
    ['a person who accepts no messages', 403, 50_007, 'Cannot send messages to this user', true],
    ['a channel without write permission', 403, 50_013, 'Missing Permissions', false],
    ['a deleted channel or forum post', 404, 10_003, 'Unknown Channel', true],
    ['a channel that is no longer visible', 403, 50_001, 'Missing Access', true],
    ['a locked thread', 400, 50_083, 'Thread is archived', true],
  ])(
    'is never retried for %s, and has Discord’s message',
    async (_name, status, code, message, unreachable) => {
      discord.trouble(/messages$/, { kind: 'refused', status, code, message });
      expect(await failure(send({ text: 'x' }, inThread()))).toMatchObject({
        message,
        advice: { retry: 'never' },
        account: false,
        unreachable,
      });
    },
  );

  test('is an account error for an invalid token, and never retried', async () => {
    account = { ...account, credentials: { ...account.credentials, bot_token: 'a.b.c' } };
    expect(await failure(send({ text: 'x' }, inThread()))).toMatchObject({
      advice: { retry: 'never' },
      account: true,
    });
  });
});

describe('a temporary failure', () => {
  test.each(['garbled', 'intercepted', 'cut-before', 'cut-after'] as const)(
    '%s is retried later',
    async (kind) => {
      discord.trouble(/messages$/, { kind });
      expect(await failure(send({ text: 'x' }, inThread()))).toMatchObject({ advice: { retry: 'backoff' } });
    },
  );

  test('a refused connection is retried later, and its error does not contain the token', async () => {
    account = {
      ...account,
      settings: { ...account.settings, api_base_url: `http://127.0.0.1:${await freePort()}` },
    };
    const error = await failure(send({ text: 'x' }, inThread()));
    expect(error.message).toMatch(/^Discord cannot be reached: .*ECONNREFUSED/);
    expect(`${error.stack}${error.cause}`).not.toContain(world.token);
  });
});

test('malformed content and addresses are rejected permanently', async () => {
  const wrong = [
    connector.open(account).deliver({ content: 'x' }, inThread(), tools),
    send({ text: 'x' }, { lane: 'x', address: null }),
  ];
  for (const sending of wrong) expect(await failure(sending)).toMatchObject({ advice: { retry: 'never' } });
});

test('the budgets allow at most five messages in five seconds to a channel, and fewer than fifty a second in total', () => {
  const [channel, all] = connector.open(account).budgets(inThread());
  const within = (ms: number, budget = channel) => (budget?.burst ?? 0) + ms / (budget?.everyMs ?? 1);
  expect(within(5_000)).toBeLessThanOrEqual(5);
  expect(within(1_000, all)).toBeLessThanOrEqual(50);
  // The budget covers all guilds of the bot.
  expect([channel?.ofApp, all?.ofApp]).toEqual([undefined, true]);
});

test('the answer to a command does not count against the channel’s budget', () => {
  const interaction = { token: 'aW50', goodUntil: Date.now() + 60_000 };
  const to = at({ kind: 'channel', channel: general.id, user: ana.id, message: null, interaction });
  expect(
    connector
      .open(account)
      .budgets(to)
      .map(({ key }) => key),
  ).toEqual(['all']);
});

describe('typing', () => {
  test('is shown where the question was asked, unless Discord shows "thinking"', async () => {
    const { typing } = connector.open(account);
    await typing?.show(question(), tools);
    const interaction = { token: 'x', goodUntil: Date.now() + 1_000 };
    await typing?.show(at({ kind: 'direct', channel: general.id, interaction }), tools);
    expect(discord.calls.map(({ path }) => path)).toEqual([`/channels/${general.id}/typing`]);
    expect(typing?.lastsMs).toBe(8_000);
  });
});
