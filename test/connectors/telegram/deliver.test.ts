import { beforeEach, describe, expect, test } from 'vitest';
import { editMessage } from '../../../connectors/telegram/deliver.ts';
import { telegram } from '../../../connectors/telegram/telegram.ts';
import type { ConversationRef } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { OutboundPart } from '../../../core/contract/outbound.ts';
import { plainReply } from '../../helpers/models/plain-reply.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { telegramAccount } from '../../helpers/platforms/telegram/account.ts';
import { telegramFixture } from '../../helpers/platforms/telegram/fixture.ts';
import { openTelegramStandIn } from '../../helpers/platforms/telegram/stand-in.ts';
import { freePort } from '../../helpers/servers/network/free-port.ts';

const peer = await openTelegramStandIn();
const account = telegramAccount({ settings: { enabled: true, api_base_url: peer.url } });
const tools = connectorTools();
const at = (chat: number, kind = 'private', topic: number | null = null): ConversationRef => ({
  lane: String(chat),
  address: { chat, kind, topic },
});
const part = (html: string, text = html, replyTo: number | null = null): OutboundPart => ({
  content: { html, text, replyTo },
});
const send = (what = part('Hello'), to = at(501), customAccount = account) =>
  telegram.open(customAccount).deliver(what, to, tools);
const failure = async (sending: Promise<unknown>) => {
  const error = await sending.catch((thrown: unknown) => thrown);
  if (error instanceof ConnectorError) return error;
  throw new TypeError('it did not fail with a ConnectorError');
};

beforeEach(() => {
  peer.chats.clear();
  for (const chat of [501, -4001, -1002001, -1004001]) peer.chats.add(chat);
  peer.sent.splice(0);
  peer.calls.splice(0);
});

describe('sending', () => {
  test('the longest reply arrives complete, in parts and in order', async () => {
    const text = 'A sentence of **the answer**. '.repeat(300);
    for (const one of telegram.open(account).render(plainReply({ text }), at(501))) await send(one);
    expect(peer.sent.length).toBeGreaterThan(1);
    expect(peer.sent.map((message) => message.text).join(' ')).toBe(
      'A sentence of the answer. '.repeat(300).trim(),
    );
  });

  test('the message id includes the chat, because Telegram numbers messages per chat', async () => {
    expect(await send()).toEqual({ messageId: `501/${peer.sent[0]?.messageId}` });
  });

  test('messages have no link previews, and in a group reply to a message that may be deleted', async () => {
    await send(part('Hello', 'Hello', 41), at(-4001, 'group'));
    expect(peer.sent[0]?.params).toEqual({
      chat_id: -4001,
      text: 'Hello',
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      reply_parameters: { message_id: 41, allow_sending_without_reply: true },
    });
  });

  test('the topic is sent, except the General topic', async () => {
    await send(part('a'), at(-1002001, 'supergroup', 55));
    await send(part('b'), at(-1002001, 'supergroup', 1));
    expect(peer.sent.map(({ params }) => params.message_thread_id)).toEqual([55, undefined]);
  });
});

describe('a refused call', () => {
  test('is repeated at once as plain text if the markup is refused', async () => {
    await send(part('<b>unclosed & <odd>', 'unclosed & <odd>'));
    expect(peer.sent).toMatchObject([{ text: 'unclosed & <odd>' }]);
    expect(peer.sent[0]?.params).not.toHaveProperty('parse_mode');
    peer.trouble('sendMessage', { kind: 'cannot-parse' });
    await send(part('<b>Fine</b>', 'Fine'));
    expect(peer.sent[1]?.text).toBe('Fine');
  });

  test('is retried after the time of the rate limit', async () => {
    peer.trouble('sendMessage', { kind: 'limited', retryAfter: 12 });
    expect(await failure(send())).toMatchObject({
      advice: { retry: 'after', afterMs: 12_000, limited: 'unsaid' },
      account: false,
    });
  });

  test.each([
    ['a person who blocked the bot', { kind: 'blocked' }, 501, 'Forbidden: bot was blocked by the user'],
    ['a deleted chat', { kind: 'none' }, 999, 'Bad Request: chat not found'],
  ] as const)(
    'is never retried for %s, makes the conversation unreachable, and has Telegram’s message',
    async (_name, trouble, chat, message) => {
      if (trouble.kind !== 'none') peer.trouble('sendMessage', trouble);
      expect(await failure(send(part('Hello'), at(chat)))).toMatchObject({
        message,
        advice: { retry: 'never' },
        account: false,
        unreachable: true,
      });
    },
  );

  test.each(['7000001:another-key', '7000001:'])(
    'is an account error for an unknown token, and never retried',
    async (key) => {
      const other = { ...account, credentials: { bot_token: key } };
      expect(await failure(send(part('Hello'), at(501), other))).toMatchObject({
        advice: { retry: 'never' },
        account: true,
      });
    },
  );

  test('is repeated in the supergroup after an upgrade, and reports the move', async () => {
    peer.trouble('sendMessage', { kind: 'migrated', to: -1004001 });
    expect(await send(part('Hello'), at(-4001, 'group'))).toEqual({
      messageId: `-1004001/${peer.sent[0]?.messageId}`,
      moved: { lane: '-1004001', address: { chat: -1004001, kind: 'supergroup', topic: null } },
    });
    expect(peer.sent).toMatchObject([{ chat: -1004001, text: 'Hello' }]);
  });

  test('is repeated in the supergroup as plain text if the markup is refused there', async () => {
    peer.trouble('sendMessage', { kind: 'migrated', to: -1004001 }, { kind: 'cannot-parse' });
    expect(await send(part('<b>x</b>', 'x'), at(-4001, 'group'))).toMatchObject({
      moved: { lane: '-1004001' },
    });
    expect(peer.calls).toHaveLength(3);
  });
});

describe('a temporary failure', () => {
  test.each([
    'out-of-order',
    'garbled',
    'intercepted',
    'forbidden-on-the-way',
    'cut-before',
    'cut-after',
  ] as const)('%s is retried later', async (kind) => {
    peer.trouble('sendMessage', { kind });
    expect(await failure(send())).toMatchObject({ advice: { retry: 'backoff' }, account: false });
    expect(peer.sent).toHaveLength(kind === 'cut-after' ? 1 : 0);
  });

  test('a refused connection is retried later, and its error does not contain the token', async () => {
    const settings = { enabled: true, api_base_url: `http://127.0.0.1:${await freePort()}` };
    const error = await failure(send(part('Hello'), at(501), { ...account, settings }));
    expect(error).toMatchObject({ advice: { retry: 'backoff' } });
    expect(error.message).toMatch(/^Telegram cannot be reached: .*ECONNREFUSED/);
    expect(`${error.stack}${error.cause}`).not.toContain(peer.token);
  });

  test('a call is aborted when the process stops', async () => {
    const stop = new AbortController();
    peer.trouble('sendMessage', { kind: 'silent' });
    const sending = telegram.open(account).deliver(part('Hello'), at(501), { ...tools, signal: stop.signal });
    await peer.until('sendMessage', 1);
    stop.abort();
    expect(await failure(sending)).toMatchObject({ advice: { retry: 'backoff' } });
  });
});

test('malformed content and addresses are rejected permanently', async () => {
  expect(await failure(send({ content: 'x' }))).toMatchObject({ advice: { retry: 'never' } });
  expect(await failure(send(part('x'), { lane: 'x', address: null }))).toMatchObject({
    advice: { retry: 'never' },
  });
});

test.each([
  ['private', 1_000],
  ['group', 3_100],
  ['supergroup', 3_100],
])(
  'the budgets allow a %s chat one message in %i ms over all topics, and all chats at most 30 a second',
  (kind, everyMs) => {
    const [chat, all] = telegram.open(account).budgets(at(-4001, kind, 55));
    expect(chat).toEqual({ key: 'chat:-4001', everyMs, burst: 1 });
    expect(all).toMatchObject({ key: 'all' });
    expect((all?.burst ?? 0) + 1_000 / (all?.everyMs ?? 1)).toBeLessThanOrEqual(30);
  },
);

describe('typing', () => {
  const { typing } = telegram.open(account);

  test('is shown in the topic, and names the General topic', async () => {
    for (const topic of [null, 1, 55]) await typing?.show(at(-1002001, 'supergroup', topic), tools);
    expect(peer.calls.map(({ params }) => params)).toEqual([
      { chat_id: -1002001, action: 'typing' },
      { chat_id: -1002001, action: 'typing', message_thread_id: 1 },
      { chat_id: -1002001, action: 'typing', message_thread_id: 55 },
    ]);
    expect(typing?.lastsMs).toBe(5_000);
  });
});

describe('buttons', () => {
  const keyboard = [[{ text: '👍', callback_data: 'feedback:up' }]];
  const withButtons = { content: { html: '<b>Hello</b>', text: 'Hello', replyTo: null, keyboard } };
  const reply_markup = { inline_keyboard: keyboard };

  test('are sent with the message, also if the markup is refused, and survive an edit', async () => {
    peer.trouble('sendMessage', { kind: 'cannot-parse' });
    const { messageId } = await send(withButtons);
    expect(peer.sent).toMatchObject([{ text: 'Hello', params: { reply_markup } }]);
    const part = { content: { ...withButtons.content, html: 'Bye', text: 'Bye' } };
    await editMessage({ messageId, part }, account, tools);
    expect(peer.sent).toMatchObject([{ text: 'Bye', params: { reply_markup } }]);
  });

  test.each([
    ['press-up', { callback_query_id: '21519010100417', text: 'Thank you!' }],
    ['press-human', { callback_query_id: '21519010300417' }],
    ['press-of-unknown-button', { callback_query_id: '21519010700417' }],
  ])('%s is acknowledged', async (name, params) => {
    await telegram.open(account).acknowledge?.(telegramFixture(name), tools);
    expect(peer.calls).toEqual([{ method: 'answerCallbackQuery', params }]);
  });

  test('other updates are not acknowledged', async () => {
    await telegram.open(account).acknowledge?.(telegramFixture('private-question'), tools);
    expect(peer.calls).toEqual([]);
  });
});

describe('editing', () => {
  const change = (messageId: string, html: string, text = html) =>
    editMessage({ messageId, part: part(html, text) }, account, tools);

  test('replaces the text', async () => {
    const { messageId } = await send();
    await change(messageId, '<b>Changed</b>');
    expect(peer.sent).toMatchObject([{ text: 'Changed' }]);
  });

  test('succeeds without a change, and sends plain text if the markup is refused', async () => {
    const { messageId } = await send();
    await change(messageId, 'Hello');
    await change(messageId, '<b>odd', 'odd');
    expect(peer.sent).toMatchObject([{ text: 'odd' }]);
  });

  test('of a deleted or foreign message fails permanently', async () => {
    expect(await failure(Promise.resolve(change('501/9', 'x')))).toMatchObject({
      advice: { retry: 'never' },
    });
    expect(await failure(Promise.resolve(change('nine', 'x')))).toMatchObject({ advice: { retry: 'never' } });
  });
});
