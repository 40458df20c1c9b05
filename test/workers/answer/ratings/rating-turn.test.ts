import { beforeEach, describe, expect, test } from 'vitest';
import { createAccountFinder } from '../../../../core/channels/accounts/channel-accounts.ts';
import { wakeLanes } from '../../../../core/channels/inbound/wake-lanes.ts';
import { sendAgentReply } from '../../../../core/channels/outbound/agent-reply.ts';
import type { AnswerWriter } from '../../../../core/contract/answer-writer.ts';
import { startAction, undoAction } from '../../../../core/inbox/bulk.ts';
import { runActionBatch } from '../../../../core/inbox/bulk-batch.ts';
import { changeConversation } from '../../../../core/inbox/desk.ts';
import { listInbox } from '../../../../core/inbox/list.ts';
import { readConversation, readTimeline } from '../../../../core/inbox/read.ts';
import { findText } from '../../../../core/language/localised-texts.ts';
import { findUsage } from '../../../../core/limits/usage.ts';
import { answerLane } from '../../../../workers/answer/answer-lane.ts';
import { sendLane } from '../../../../workers/deliver/send-lane.ts';
import { withMembers } from '../../../helpers/platforms/fake/channel.ts';
import { createDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../../helpers/stores/open-test-pipeline.ts';

const { askRating, rated } = findText('channel', 'en');
const day = 24 * 3_600_000;

describe.each(testEngines)('a rating by message on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const writer: AnswerWriter = {
    async *write({ question }) {
      yield { text: `You asked: ${question}` };
    },
  };
  const pipeline = await openTestPipeline({
    environment,
    kind: 'telegram',
    settings: { strictness: 'fallback' },
    alter: () => ({ writer }),
  });
  const { runtime, workspace, channel, platform, receive } = pipeline;
  const { kysely } = runtime.database;
  const findAccount = createAccountFinder(runtime);
  const dependencies = { ...runtime, findAccount, signal: new AbortController().signal };
  const stores = { ...dependencies, database: kysely };
  const actor = { workspaceId: workspace.id, ownerId: workspace.owner, name: 'Ann', personId: null };
  const reader = {
    workspaceId: workspace.id,
    personId: '',
    isInInbox: true,
    policy: undefined,
    now: new Date(),
    today: new Date(),
  };
  let chats = 0;

  beforeEach(async () => {
    await kysely.deleteFrom('webhook_delivery').execute();
    await kysely.updateTable('workspace').set({ settings: '{"strictness":"fallback"}' }).execute();
  });

  const sentTo = (chat: string) =>
    platform.sent
      .filter((part) => part.chat === chat)
      .map(({ text }) => text)
      .join('');
  /** A conversation, in which an agent has replied unless told otherwise. */
  async function open({ text = 'Where is my parcel, please?', replies = true } = {}) {
    chats += 1;
    const chat = `chat ${chats}`;
    const key = { channelId: channel.id, lane: chat };
    let said = 0;
    const say = async (words: string, more: { command?: 'help'; file?: boolean; from?: string } = {}) => {
      said += 1;
      await receive({ id: `${chat} ${said}`, chat, text: words, ...more });
      await answerLane(dependencies, key);
    };
    await say(text);
    const { conversation_id } = await kysely
      .selectFrom('lane')
      .select('conversation_id')
      .where('lane', '=', chat)
      .executeTakeFirstOrThrow();
    const id = conversation_id ?? '';
    const reply = (content: string, resolves: boolean, requestKey?: string) =>
      sendAgentReply(dependencies, {
        ...{ workspaceId: workspace.id, conversationId: id, content, resolves, requestKey },
        authorEmail: 'ann@example.com',
      });
    if (replies) await reply('It arrives tomorrow.', false);
    await sendLane(dependencies, key);
    const messages = () =>
      kysely
        .selectFrom('message')
        .select(['role', 'content', 'purpose'])
        .where('conversation_id', '=', id)
        .orderBy('position')
        .execute();
    return {
      ...{ id, chat, key, say, reply, messages },
      change: (status: 'resolved' | 'open') => changeConversation(stores, actor, id, { status }),
      questions: async () => (await messages()).filter(({ purpose }) => purpose === 'rating_question').length,
      rating: async () => (await readConversation(kysely, reader, id)).ratings[0] ?? null,
      status: async () => (await readConversation(kysely, reader, id)).status,
      send: () => sendLane(dependencies, key),
      /** Resolves with a reply, and sends both. */
      async ask() {
        await reply('Bye.', true);
        await sendLane(dependencies, key);
      },
      parts: () =>
        kysely
          .selectFrom('outbound_part')
          .select(['status', 'failure', 'author'])
          .where('conversation_id', '=', id)
          .orderBy('number')
          .execute(),
    };
  }
  const makeDue = async ({ key }: { key: { channelId: string; lane: string } }) => {
    const past = new Date(Date.now() - 1_000);
    await kysely
      .updateTable('outbound_part')
      .set({ next_attempt_at: past })
      .where('lane', '=', key.lane)
      .where('status', '=', 'waiting')
      .execute();
  };
  const sendDelayed = async (one: { key: { channelId: string; lane: string } }) => {
    await makeDue(one);
    await sendLane(dependencies, one.key);
  };

  test('is asked for once, after the reply that resolves', async () => {
    const one = await open();
    const [first, again] = [await one.reply('Bye.', true, 'key 1'), await one.reply('Bye.', true, 'key 1')];
    expect([first.isReplay, again.isReplay]).toEqual([false, true]);
    await Promise.all([one.send(), one.send()]);
    await one.change('resolved');
    await sendDelayed(one);
    expect(sentTo(one.chat)).toMatch(new RegExp(`Bye\\.${askRating.replace(/[().?]/gu, '\\$&')}$`, 'u'));
    expect(await one.questions()).toBe(1);
    expect(await one.rating()).toMatchObject({ score: null });
  });

  test('is asked for once if the process dies after the commit, and not at all if it dies before', async () => {
    const dead = { ...stores, queue: { add: async () => {} } };
    const one = await open();
    await changeConversation(dead, actor, one.id, { status: 'resolved' });
    await makeDue(one);
    const woken: unknown[] = [];
    const queue = {
      add: async (...job: readonly unknown[]) => {
        woken.push(job[2]);
      },
    };
    await wakeLanes(kysely, queue, { now: new Date(), round: 'first', isFirst: true });
    expect(woken).toContainEqual(one.key);
    await Promise.all([one.send(), one.send()]);
    expect(sentTo(one.chat).split(askRating)).toHaveLength(2);
    const failing = {
      ...stores,
      findAccount: async (id: string) => {
        const found = await findAccount(id);
        const render = () => {
          throw new Error('killed');
        };
        return found && { ...found, connector: withMembers(found.connector, { render }) };
      },
    };
    const other = await open();
    await expect(changeConversation(failing, actor, other.id, { status: 'resolved' })).rejects.toThrow(
      'killed',
    );
    expect([await other.status(), await other.questions()]).toEqual(['claimed', 0]);
  });

  test('is asked for anew after each resolution, in the language of the visitor', async () => {
    const one = await open({ text: 'Guten Tag, wann kommt mein Paket endlich bei mir an?' });
    await one.ask();
    await one.reply('Noch etwas.', true);
    await one.send();
    expect(await one.questions()).toBe(2);
    await one.say('5');
    expect((await one.messages()).slice(-3).map(({ content }) => content)).toEqual([
      findText('channel', 'de').askRating,
      '5',
      findText('channel', 'de').rated,
    ]);
  });

  test('is not asked for if no person replied, the workspace does not want it, or the visitor opted out', async () => {
    const bot = await open({ replies: false });
    await bot.change('resolved');
    const out = await open();
    await kysely.updateTable('lane').set({ opted_out: true }).where('lane', '=', out.chat).execute();
    await out.change('resolved');
    const off = await open();
    await kysely.updateTable('workspace').set({ settings: '{"ask_for_rating":false}' }).execute();
    await off.change('resolved');
    await off.reply('Bye.', true);
    for (const one of [bot, out, off]) {
      expect(await one.rating()).toBeNull();
      expect(await one.questions()).toBe(0);
    }
  });

  test('is not asked for outside of the reply window of the platform, whenever it closes', async () => {
    let templates = 0;
    const window = {
      ...{ lastsMs: day, reason: 'The window is closed.', appliesTo: () => true, isTimeless: () => false },
      renderTemplate: () => {
        templates += 1;
        return { content: { text: 'A template' } };
      },
    };
    const inWindow = {
      ...stores,
      findAccount: async (id: string) => {
        const found = await findAccount(id);
        if (found === null) return null;
        const { connector } = found;
        return { ...found, connector: withMembers(connector, { window }) };
      },
    };
    const hear = (chat: string, at: number) =>
      kysely
        .updateTable('lane')
        .set({ heard_at: new Date(at) })
        .where('lane', '=', chat)
        .execute();
    const resolve = ({ id }: { id: string }) =>
      changeConversation(inWindow, actor, id, { status: 'resolved' });
    const closed = await open();
    await hear(closed.chat, Date.now() - 2 * day);
    await resolve(closed);
    expect([await closed.rating(), await closed.questions()]).toEqual([null, 0]);
    const closing = await open();
    await hear(closing.chat, Date.now());
    await resolve(closing);
    expect(await closing.questions()).toBe(1);
    await hear(closing.chat, Date.now() - 2 * day);
    await makeDue(closing);
    await sendLane({ ...dependencies, findAccount: inWindow.findAccount }, closing.key);
    expect((await closing.parts()).at(-1)).toMatchObject({
      ...{ status: 'withheld', failure: window.reason },
    });
    expect(templates).toBe(0);
  });

  test('is not asked for on a channel where no message asks, as in a call', async () => {
    const one = await open();
    const calling = {
      ...stores,
      findAccount: async (id: string) => {
        const found = await findAccount(id);
        if (found === null) return null;
        const { connector } = found;
        const about = { ...connector.about, asksForRating: false };
        return { ...found, connector: { ...connector, about } };
      },
    };
    await changeConversation(calling, actor, one.id, { status: 'resolved' });
    expect([await one.rating(), await one.questions()]).toEqual([null, 0]);
  });

  test('is stored with audit entry and webhook, thanked for, and not answered', async () => {
    await runtime.webhooks.create(workspace.id, { url: 'https://shop.example/hook', events: ['*'] });
    const one = await open();
    const usage = await findUsage({ database: kysely, clock: runtime.clock }, workspace);
    await one.ask();
    await kysely.deleteFrom('webhook_delivery').execute();
    await one.say('5 thanks');
    expect(sentTo(one.chat).endsWith(`${askRating}${rated}`)).toBe(true);
    expect(await one.rating()).toMatchObject({ score: 5, comment: null });
    expect(await one.status()).toBe('resolved');
    expect(await findUsage({ database: kysely, clock: runtime.clock }, workspace)).toEqual(usage);
    const told = await kysely
      .selectFrom('webhook_delivery')
      .select(['event', 'data'])
      .orderBy('id')
      .execute();
    expect(told.map(({ event }) => event)).toEqual(['message.created', 'conversation.rated']);
    expect(told[0]?.data).toMatchObject({ role: 'user', content: '5 thanks' });
    expect(told[1]?.data).toMatchObject({ score: 5, channel: 'telegram', conversation_id: one.id });
    const entries = await kysely
      .selectFrom('audit_entry')
      .select(['actor', 'details'])
      .where('conversation_id', '=', one.id)
      .where('action', '=', 'rated')
      .execute();
    expect(entries).toEqual([{ actor: 'visitor', details: { score: 5 } }]);
  });

  test('is shown in the time line, and is no preview of the conversation', async () => {
    const one = await open();
    await one.ask();
    await one.say('4');
    const { items } = await readTimeline(kysely, workspace.id, one.id, { limit: 10 });
    const shown = items.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : [])).slice(0, 3);
    expect(shown.map(({ role, content }) => [role, content])).toEqual([
      ['assistant', rated],
      ['user', '4'],
      ['assistant', askRating],
    ]);
    const list = await listInbox(kysely, reader, {
      ...{ filters: {}, ids: [one.id], sort: 'latest', page: { limit: 1 } },
    });
    expect(list.items[0]?.lastLine?.text).toBe('Bye.');
  });

  test('is changed by a second number, and keeps a sentence as its comment', async () => {
    const one = await open();
    await one.ask();
    await one.say('2');
    await one.say('4! Ann called me back');
    expect(await one.rating()).toMatchObject({ score: 4, comment: 'Ann called me back' });
    expect(await one.status()).toBe('resolved');
  });

  test('counts a day later too, when the next message would start a new conversation', async () => {
    const one = await open();
    await one.ask();
    const ago = new Date(Date.now() - 3 * day);
    await kysely.updateTable('conversation').set({ resolved_at: ago }).where('id', '=', one.id).execute();
    await kysely
      .updateTable('conversation_rating')
      .set({ asked_at: ago })
      .where('conversation_id', '=', one.id)
      .execute();
    await one.say('3');
    expect(await one.rating()).toMatchObject({ score: 3 });
  });

  test.each([
    ['is a question about five boxes', '5 boxes, can I return them?', {}],
    ['has a file', '5', { file: true }],
  ])('is not what %s: it opens the conversation and is answered', async (_, text, more) => {
    const one = await open();
    await one.ask();
    await one.say(text, more);
    expect(sentTo(one.chat)).toContain(`You asked: ${text}`);
    expect(await one.rating()).toMatchObject({ score: null });
    expect(await one.status()).toBe('open');
  });

  test('is an ordinary message after seven days, or without a question before', async () => {
    const late = await open();
    await late.ask();
    await kysely
      .updateTable('conversation_rating')
      .set({ asked_at: new Date(Date.now() - 7 * day - 1) })
      .where('conversation_id', '=', late.id)
      .execute();
    await late.say('5');
    const early = await open();
    await early.change('resolved');
    await early.say('4');
    for (const [one, text] of [
      [late, '5'],
      [early, '4'],
    ] as const) {
      expect(sentTo(one.chat)).toContain(`You asked: ${text}`);
      expect((await one.rating())?.score ?? null).toBeNull();
    }
  });

  test('is stored and thanked for once by two workers', async () => {
    const one = await open();
    await one.ask();
    await receive({ id: `${one.chat} twice`, chat: one.chat, text: '5' });
    await Promise.all([answerLane(dependencies, one.key), answerLane(dependencies, one.key)]);
    await one.send();
    expect((await one.messages()).filter(({ purpose }) => purpose === 'rating_thanks')).toHaveLength(1);
    expect(sentTo(one.chat).split(rated)).toHaveLength(2);
  });

  test('leaves the memory of the next question as it was', async () => {
    const one = await open();
    await one.ask();
    await one.say('5');
    await one.say('And what does it cost?');
    expect(await one.status()).toBe('open');
    expect(sentTo(one.chat).endsWith('You asked: And what does it cost?')).toBe(true);
  });

  test('is not asked for if the conversation is opened again at once, and no answer waits for it', async () => {
    const undone = await open();
    await undone.change('resolved');
    await undone.change('open');
    expect(await undone.rating()).toBeNull();
    await sendDelayed(undone);
    const written = await open();
    await written.change('resolved');
    await written.say('One more thing: is it insured?');
    expect(sentTo(written.chat)).toContain('is it insured?');
    for (const one of [undone, written]) {
      expect(sentTo(one.chat)).not.toContain(askRating.slice(0, 20));
      expect((await one.parts()).filter(({ failure }) => failure !== null)).toContainEqual({
        ...{ status: 'withheld', failure: 'The conversation was opened again.', author: 'bot' },
      });
    }
  });

  test('is asked for by a bulk action, which withdraws what was not sent when it is undone', async () => {
    const [kept, sent, bot] = [await open(), await open(), await open({ replies: false })];
    const ids = [kept.id, sent.id, bot.id];
    const { id } = await startAction(stores, actor, {
      reader,
      change: { status: 'resolved' },
      range: { ids },
    });
    await Promise.all(
      [1, 2].map(async () => {
        while (await runActionBatch(stores, id)) {}
      }),
    );
    expect(await Promise.all([kept, sent, bot].map((one) => one.questions()))).toEqual([1, 1, 0]);
    await sendDelayed(sent);
    await undoAction(stores, { workspaceId: workspace.id, id });
    while (await runActionBatch(stores, id)) {}
    await sendDelayed(kept);
    expect(sentTo(kept.chat)).not.toContain(askRating.slice(0, 20));
    expect(sentTo(sent.chat)).toContain(askRating);
    expect(await kept.rating()).toBeNull();
    expect(await sent.rating()).toMatchObject({ score: null });
  });
});
