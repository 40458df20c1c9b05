import { describe, expect, test } from 'vitest';
import { telegramFixture, telegramFixtures } from '../../helpers/platforms/telegram/fixture.ts';
import { fetchVisitorFile } from '../../helpers/servers/channels/fetch-visitor-file.ts';
import { holdQuestions } from '../../helpers/servers/channels/hold-questions.ts';
import { openTelegramServer } from '../../helpers/servers/channels/open-telegram-server.ts';

const ana = 501;
const club = -4001;

describe('Telegram by webhook', async () => {
  const { telegram, said, eventually, channel, address, runtime, operate, workspace } =
    await openTelegramServer('webhook');
  for (const chat of [ana, club, -1004001, -1002001, 601, 602, 603, 604, 605, 606, 607, 608])
    telegram.chats.add(chat);
  let next = 5_000;
  const from = (chat: number, text: string) => {
    next += 1;
    const person = { id: chat, is_bot: false, first_name: 'Bea' };
    return {
      update_id: next,
      message: {
        message_id: next,
        date: 1_790_000_000,
        from: person,
        chat: { id: chat, type: 'private', first_name: 'Bea' },
        text,
      },
    };
  };

  const press = (chat: number, message_id: number, data: string) => {
    const { update_id, message } = from(chat, 'An answer');
    const answer = { ...message, message_id, from: telegram.bot };
    const callback_query = { id: `${update_id}`, from: message.from, message: answer, data };
    return { update_id, callback_query: { ...callback_query, chat_instance: '1' } };
  };

  test('sets the webhook URL at Telegram, with a generated secret', () => {
    expect(channel.status).toBe('connected');
    expect(telegram.hook()?.url).toBe(`${address}/webhooks/${channel.id}`);
    expect(telegram.hook()?.secret_token).toMatch(/^[\w-]{20,}$/);
  });

  test('answers a question from the documents, with a typing indicator', async () => {
    const letGo = holdQuestions(runtime);
    await telegram.tell(telegramFixture('private-question'));
    await eventually(() => expect(telegram.calls.map(({ method }) => method)).toContain('sendChatAction'));
    letGo();
    await eventually(() => expect(said(ana)).toContain('open on weekdays from nine to five'));
  });

  test('a repeated update has no effect', async () => {
    const before = telegram.sent.length;
    await telegram.tell(telegramFixture('private-question'));
    await telegram.tell(from(601, 'When are you open?'));
    await eventually(() => expect(said(601)).toContain('nine to five'));
    expect(telegram.sent).toHaveLength(before + 1);
  });

  test('in a group it answers only if it is addressed, as a reply', async () => {
    await telegram.tell(telegramFixture('group-unaddressed'), telegramFixture('group-mention'));
    await eventually(() => expect(said(club)).not.toBe(''));
    const [answer] = telegram.sent.filter(({ chat }) => chat === club);
    expect(answer?.params).toMatchObject({ reply_parameters: { message_id: 41 } });
  });

  test("answers a voice message with a sentence in the visitor's language, and fetches it from Telegram on request", async () => {
    telegram.files.set('voice-1', 'a recording');
    await telegram.tell(telegramFixture('private-voice'));
    await eventually(() => expect(said(ana)).toContain('Ainda não consigo ler'));
    const file = await fetchVisitorFile({ runtime, operate, workspace });
    expect([file.statusCode, file.body]).toEqual([200, 'a recording']);
  });

  test("answers a bare command in the language of the visitor's app", async () => {
    const start = from(603, '/start');
    const message = {
      ...start.message,
      from: { ...start.message.from, language_code: 'de' },
      entities: [{ type: 'bot_command', offset: 0, length: 6 }],
    };
    const update = { ...start, message };
    await telegram.tell(update);
    await eventually(() => expect(said(603)).toMatch(/^Hallo!/));
  });

  test('sends a message that Telegram cannot parse as plain text', async () => {
    telegram.trouble('sendMessage', { kind: 'cannot-parse' });
    await telegram.tell(from(602, 'When are you open?'));
    await eventually(() => expect(said(602)).toContain('nine to five'));
    const { params } = telegram.sent.find(({ chat }) => chat === 602) ?? {};
    expect(params).not.toHaveProperty('parse_mode');
  });

  test('asks for a rating after the reply that resolves, and takes a number for it', async () => {
    const question = 'When are you open on Wednesday?';
    await telegram.tell(from(608, question));
    await eventually(() => expect(said(608)).toContain('nine to five'));
    const conversations = `/workspaces/${workspace.id}/conversations`;
    const found = (await operate('GET', `${conversations}?q=Wednesday`)).json().conversations[0];
    const reply = { content: 'Until five.', author_email: 'ann@shop.example', resolve: true };
    await operate('POST', `${conversations}/${found.id}/reply`, reply);
    await eventually(() => expect(said(608)).toMatch(/Until five\.\nHow did we do\?/));
    const asked = telegram.sent.filter(({ chat }) => chat === 608).at(-1);
    expect(asked?.params).not.toHaveProperty('reply_markup');
    await telegram.tell(from(608, '5'));
    await eventually(() => expect(said(608)).toMatch(/\nThank you for your rating\.$/));
    const rated = (await operate('GET', `${conversations}/${found.id}`)).json();
    expect(rated).toMatchObject({ status: 'resolved', ratings: [{ score: 5 }] });
    await telegram.tell(from(608, question));
    await eventually(() => expect(said(608).match(/nine to five/gu)).toHaveLength(2));
  });

  test('waits for a rate limit and then sends the message', async () => {
    telegram.trouble('sendMessage', { kind: 'limited', retryAfter: 1 });
    await telegram.tell(from(602, 'And when are you open on Monday?'));
    const count = () => telegram.sent.filter(({ chat }) => chat === 602).length;
    await eventually(() => expect(count()).toBe(2));
  });

  test('a limit in two chats counts for the whole bot: nothing is sent until it ends', async () => {
    const limited = { kind: 'limited', retryAfter: 3 } as const;
    const tries = (chat: number) =>
      telegram.calls.filter(({ method, params }) => method === 'sendMessage' && params.chat_id === chat)
        .length;
    const heldUntil = async () => (await operate('GET', '/queues')).json().channels[0].held_until;
    telegram.trouble('sendMessage', limited, limited);
    await telegram.tell(from(605, 'When are you open?'));
    await telegram.tell(from(606, 'When are you open?'));
    await eventually(async () => expect(await heldUntil()).not.toBeNull());
    const until = Date.parse(await heldUntil());
    await telegram.tell(from(607, 'When are you open?'));
    await eventually(() => expect(said(607)).toContain('nine to five'));
    expect(Date.now()).toBeGreaterThanOrEqual(until);
    await eventually(() => expect([tries(605), tries(606), tries(607)]).toEqual([2, 2, 1]));
  });

  test('stores a press on a button with the answer, once', async () => {
    await telegram.tell(from(604, 'When are you open?'));
    await eventually(() => expect(said(604)).toContain('nine to five'));
    const answer = telegram.sent.find(({ chat }) => chat === 604);
    expect(answer?.params).toHaveProperty('reply_markup');
    const heard = () => telegram.calls.filter(({ method }) => method === 'answerCallbackQuery').length;
    const before = heard();
    for (const data of ['feedback:up', 'feedback:down', 'feedback:down']) {
      await telegram.tell(press(604, answer?.messageId ?? 0, data));
    }
    await eventually(() => expect(heard()).toBe(before + 3));
    const judged = () =>
      runtime.database.kysely
        .selectFrom('message')
        .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
        .select(['feedback', 'role'])
        .where('session_id', 'like', '%:604')
        .orderBy('position')
        .execute();
    await eventually(async () =>
      expect(await judged()).toEqual([
        { role: 'user', feedback: null },
        { role: 'assistant', feedback: 'down' },
      ]),
    );
  });

  test('a press on the agent button escalates once', async () => {
    const [answer] = telegram.sent.filter(({ chat }) => chat === 604);
    for (let times = 0; times < 3; times += 1)
      await telegram.tell(press(604, answer?.messageId ?? 0, 'human'));
    await telegram.tell(from(604, 'Are you there?'));
    const words = () =>
      runtime.database.kysely
        .selectFrom('message')
        .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
        .select(['content', 'status'])
        .where('session_id', 'like', '%:604')
        .where('role', '=', 'user')
        .orderBy('position')
        .execute();
    await eventually(async () =>
      expect(await words()).toEqual(
        ['When are you open?', '/human', 'Are you there?'].map((content) => ({
          content,
          status: 'escalated',
        })),
      ),
    );
    const toldOf = () => telegram.sent.filter(({ chat }) => chat === 604);
    await eventually(() => expect(toldOf()).toHaveLength(2));
    const { rows } = await runtime.database.pool.query(
      "select count(*)::int as parts from outbound_part where lane = '604'",
    );
    expect(rows).toEqual([{ parts: 2 }]);
  });

  test('a request for an agent escalates, and the bot is silent afterwards', async () => {
    await telegram.tell(telegramFixture('private-human-with-words'));
    await eventually(() => expect(said(ana)).toContain('passed this conversation on'));
    await telegram.tell(from(ana, 'Hello?'));
    const rows = () =>
      runtime.database.kysely
        .selectFrom('message')
        .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
        .select(['message.role', 'conversation.status', 'conversation.customer_name'])
        .where('message.content', '=', 'Hello?')
        .execute();
    await eventually(async () => expect(await rows()).toMatchObject([{ role: 'user', status: 'escalated' }]));
  });

  test('a visitor who blocks the bot is unreachable, and the channel continues', async () => {
    await telegram.tell(telegramFixture('private-blocked'));
    const lane = () =>
      runtime.database.kysely
        .selectFrom('lane')
        .select('reachable')
        .where('lane', '=', `${ana}`)
        .executeTakeFirst();
    await eventually(async () => expect(await lane()).toEqual({ reachable: false }));
  });

  test('rejects an invalid secret, and stores nothing', async () => {
    const response = await fetch(`${address}/webhooks/${channel.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': 'wrong' },
      body: JSON.stringify({ ...telegramFixture('private-question'), update_id: 77 }),
    });
    expect(response.status).toBe(401);
    const rows = await runtime.database.kysely
      .selectFrom('inbound_event')
      .select('event_id')
      .where('event_id', '=', '77')
      .execute();
    expect(rows).toEqual([]);
  });

  test('accepts every kind of update, and leaves no pending work', async () => {
    for (const [index, name] of telegramFixtures().entries()) {
      await telegram.tell({ ...telegramFixture(name), update_id: 200_000 + index });
    }
    await eventually(async () => {
      const left = await runtime.database.kysely
        .selectFrom('inbound_event')
        .select(['event_id', 'failure'])
        .where('handled_at', 'is', null)
        .execute();
      expect(left).toEqual([]);
    });
  });

  test('a removed channel is disconnected at Telegram too', async () => {
    const removed = await operate('DELETE', `/workspaces/${workspace.id}/channels/${channel.id}`);
    expect(removed.statusCode).toBe(204);
    expect(telegram.hook()).toBeNull();
  });
});

test('polling gives the same answers and fetches no update twice', async () => {
  const { telegram, said, eventually, runtime } = await openTelegramServer('polling');
  telegram.chats.add(ana);
  await telegram.tell(telegramFixture('private-question'));
  await eventually(() => expect(said(ana)).toContain('nine to five'));
  await telegram.tell({ ...telegramFixture('private-question'), update_id: 90_500 });
  await eventually(() => expect(telegram.sent).toHaveLength(2));
  await telegram.tell({ ...telegramFixture('press-down'), update_id: 90_501 });
  await telegram.until('answerCallbackQuery', 1);
  const feedback = async () => {
    const query = runtime.database.kysely.selectFrom('message').select('feedback').distinct();
    return (await query.where('role', '=', 'assistant').orderBy('feedback').execute()).map(
      (row) => row.feedback,
    );
  };
  await eventually(async () => expect(await feedback()).toEqual(['down', null]));
  const offsets = () =>
    telegram.calls.filter(({ method }) => method === 'getUpdates').map(({ params }) => params.offset);
  await eventually(() => expect(offsets().at(-1)).toBe(90_502));
});
