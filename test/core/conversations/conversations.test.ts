import { describe, expect, test } from 'vitest';
import type { Answer } from '../../../core/contract/answer.ts';
import { Conversations } from '../../../core/conversations/conversations.ts';
import type { Turn } from '../../../core/conversations/messages/turn.ts';
import { SecretBox } from '../../../core/secrets/secret-box.ts';
import type { CompanionKind } from '../../../core/storage/companion.ts';
import { Workspaces } from '../../../core/workspaces/workspaces.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

const answer: Answer = {
  text: 'Thirty days.',
  sources: [],
  citations: [],
  ...{ confidence: 'high', tier: 'answer', probability: 0.9, lead: null },
  score: 0.9,
  tokensUsed: 0,
  skillsFired: ['knowledge_search'],
  tier: 'answer',
  probability: 0.9,
  lead: null,
  isGenerated: false,
  isQuoted: true,
};

describe.each(testEngines)('conversations on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const time = { now: new Date('2026-03-01T10:00:00Z') };
  const clock = { now: () => time.now };
  const conversations = new Conversations({ database: database.kysely, clock });
  const workspaces = new Workspaces({
    database: database.kysely,
    clock,
    secretBox: new SecretBox(Buffer.alloc(32)),
  });
  const workspaceId = (await workspaces.create({ name: 'Test' })).workspace.id;

  const turn = (change: Partial<Turn> = {}): Turn => ({
    workspaceId,
    channel: 'api',
    conversationId: null,
    sessionId: null,
    customer: null,
    userId: null,
    question: 'How long may I send it back?',
    metadata: null,
    answer,
    decision: null,
    latencyMs: 12,
    ended: null,
    effects: [],
    awaited: undefined,
    ...change,
  });
  const stored = (id: string) =>
    database.kysely.selectFrom('conversation').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  test('starts a conversation for a question without one, and stores the question before its answer', async () => {
    const { conversationId, messageId } = await conversations.storeTurn(
      turn({ metadata: { page_url: '/a' } }),
    );
    const messages = await database.kysely
      .selectFrom('message')
      .select(['id', 'role', 'content', 'position', 'metadata', 'confidence'])
      .where('conversation_id', '=', conversationId)
      .orderBy('position')
      .execute();
    expect(messages).toMatchObject([
      { role: 'user', content: 'How long may I send it back?', position: 0, metadata: { page_url: '/a' } },
      { id: messageId, role: 'assistant', content: 'Thirty days.', position: 1, confidence: 'high' },
    ]);
    expect(await stored(conversationId)).toMatchObject({ status: 'open', message_count: 2, channel: 'api' });
  });

  test('returns earlier turns oldest first, with fallbacks as unanswered', async () => {
    const { conversationId } = await conversations.storeTurn(turn());
    await conversations.storeTurn(
      turn({ conversationId, question: 'And abroad?', answer: { ...answer, confidence: 'low' } }),
    );
    expect(
      await conversations.loadMemory({ workspaceId, conversationId, sessionId: null, userId: null }),
    ).toMatchObject({
      turns: [
        { question: 'How long may I send it back?', answer: 'Thirty days.' },
        { question: 'And abroad?', answer: null },
      ],
      fallbacks: 1,
    });
  });

  test.each(['cancelled', 'timeout'] as const)(
    'treats an answer that was %s as unanswered',
    async (ended) => {
      const { conversationId } = await conversations.storeTurn(
        turn({ ended, answer: { ...answer, text: 'Thirty' } }),
      );
      expect(
        await conversations.loadMemory({ workspaceId, conversationId, sessionId: null, userId: null }),
      ).toMatchObject({
        turns: [{ question: 'How long may I send it back?', answer: null }],
        fallbacks: 0,
      });
    },
  );

  test('keeps the order of turns that are stored concurrently', async () => {
    const { conversationId } = await conversations.storeTurn(turn());
    await Promise.all(
      ['one', 'two', 'three', 'four'].map((question) =>
        conversations.storeTurn(turn({ conversationId, question })),
      ),
    );
    const rows = await database.kysely
      .selectFrom('message')
      .select('position')
      .where('conversation_id', '=', conversationId)
      .orderBy('position')
      .execute();
    expect(rows.map((row) => row.position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect((await stored(conversationId)).message_count).toBe(10);
  });

  test('stores conversations that start concurrently under their own ids', async () => {
    const questions = Array.from({ length: 30 }, (_, index) => `Question ${index}?`);
    const begun = await Promise.all(questions.map((question) => conversations.storeTurn(turn({ question }))));
    expect(new Set(begun.map(({ conversationId }) => conversationId)).size).toBe(30);
    const rows = await database.kysely
      .selectFrom('message')
      .select(['id', 'conversation_id', 'role', 'content'])
      .where(
        'conversation_id',
        'in',
        begun.map(({ conversationId }) => conversationId),
      )
      .execute();
    for (const [index, { conversationId, messageId }] of begun.entries()) {
      const ofTurn = rows.filter((row) => row.conversation_id === conversationId);
      expect(ofTurn).toHaveLength(2);
      expect(ofTurn).toContainEqual(expect.objectContaining({ content: questions[index], role: 'user' }));
      expect(ofTurn).toContainEqual(expect.objectContaining({ id: messageId, role: 'assistant' }));
    }
  });

  test('stores concurrent turns in their own conversations', async () => {
    const begun = await Promise.all(Array.from({ length: 12 }, () => conversations.storeTurn(turn())));
    const went = await Promise.all(
      begun.map(({ conversationId }, index) =>
        conversations.storeTurn(turn({ conversationId, question: `And ${index}?` })),
      ),
    );
    for (const [index, { conversationId, messageId }] of went.entries()) {
      expect(conversationId).toBe(begun[index]?.conversationId);
      const rows = await database.kysely
        .selectFrom('message')
        .select(['id', 'content', 'position'])
        .where('conversation_id', '=', conversationId)
        .where('position', '>=', 2)
        .orderBy('position')
        .execute();
      expect(rows).toMatchObject([
        { content: `And ${index}?`, position: 2 },
        { id: messageId, position: 3 },
      ]);
    }
  });

  test('stores the other turns of a batch if one fails', async () => {
    const turns = [turn(), turn({ workspaceId: 'ws_gone' }), turn(), turn()];
    const outcomes = await Promise.allSettled(turns.map((one) => conversations.storeTurn(one)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  });

  test('stores each turn’s own companion, whose failure undoes only that turn', async () => {
    const kind: CompanionKind = {
      name: 'a part',
      columns: { divisor: 'integer' },
      expression: '12 / asked.divisor',
    };
    const heard: unknown[] = [];
    const outcomes = await Promise.allSettled(
      [1, 0, 3, 4, 6, 12].map((divisor) =>
        conversations.storeTurn(turn(), () => ({
          kind,
          values: { divisor },
          errorOf: () => new TypeError(`not by ${divisor}`),
          stored: (value) => heard.push([divisor, value]),
        })),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([
      { status: 'rejected', reason: new TypeError('not by 0') },
    ]);
    expect(heard.toSorted()).toEqual([
      [1, 12],
      [12, 1],
      [3, 4],
      [4, 3],
      [6, 2],
    ]);
  });

  test('removes characters that PostgreSQL cannot store from messages and metadata', async () => {
    const { conversationId } = await conversations.storeTurn(
      turn({ question: 'a\0b\ud800c', metadata: { page: 'x\0y\udc00' } }),
    );
    const row = await database.kysely
      .selectFrom('message')
      .select(['content', 'metadata'])
      .where('conversation_id', '=', conversationId)
      .where('role', '=', 'user')
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ content: 'ab\ufffdc', metadata: { page: 'xy\ufffd' } });
  });

  test.runIf(engine === 'postgres')('a locked conversation delays other turns only briefly', async () => {
    const { conversationId } = await conversations.storeTurn(turn());
    let waits: Promise<unknown> = Promise.resolve();
    await database.kysely.transaction().execute(async (transaction) => {
      const held = transaction.selectFrom('conversation').select('id').where('id', '=', conversationId);
      await held.forUpdate().execute();
      waits = conversations.storeTurn(turn({ conversationId }));
      const { conversationId: other } = await conversations.storeTurn(turn());
      await Promise.all([
        conversations.storeTurn(turn({ conversationId: other })),
        conversations.storeTurn(turn()),
      ]);
    });
    await waits;
    expect((await stored(conversationId)).message_count).toBe(4);
  });

  test.each(['resolved', 'snoozed', 'archived'])('reopens a conversation that was %s', async (status) => {
    const { conversationId } = await conversations.storeTurn(turn());
    await database.kysely
      .updateTable('conversation')
      .set({ status, resolved_at: time.now })
      .where('id', '=', conversationId)
      .execute();
    await conversations.storeTurn(turn({ conversationId }));
    expect(await stored(conversationId)).toMatchObject({ status: 'open', resolved_at: null });
  });

  test('counts unsure answers that did not help, and remembers what they said', async () => {
    const maybe = { ...answer, confidence: 'low', tier: 'maybe', probability: 0.3 } as const;
    const fallback = { ...answer, confidence: 'low', tier: 'none', isQuoted: false } as const;
    const { conversationId, messageId } = await conversations.storeTurn(turn({ answer: maybe }));
    await conversations.storeTurn(turn({ conversationId, answer: fallback }));
    const recall = () =>
      conversations.loadMemory({ workspaceId, conversationId, sessionId: null, userId: null });
    expect(await recall()).toMatchObject({
      fallbacks: 2,
      turns: [{ answer: answer.text }, { answer: null }],
    });
    const message = database.kysely.updateTable('message').where('id', '=', messageId);
    await message.set({ feedback: 'up', feedback_at: time.now }).execute();
    expect(await recall()).toMatchObject({ fallbacks: 1 });
    await message.set({ feedback: 'down', feedback_at: time.now }).execute();
    expect(await recall()).toMatchObject({ fallbacks: 2 });
  });

  describe('after a resolution', () => {
    const unsure = { ...answer, confidence: 'low' } as const;
    const recalled = (conversationId: string) =>
      conversations.loadMemory({ workspaceId, conversationId, sessionId: null, userId: null });
    const set = (id: string, columns: object) =>
      database.kysely.updateTable('conversation').set(columns).where('id', '=', id).execute();
    const spoken = async () => {
      const { conversationId } = await conversations.storeTurn(turn({ answer: unsure }));
      await conversations.storeTurn(turn({ conversationId, answer: unsure }));
      await set(conversationId, {
        awaited: JSON.stringify({ skill: 'lead', state: { step: 1 }, messages: 1 }),
      });
      expect(await recalled(conversationId)).toMatchObject({
        turns: [{}, {}],
        fallbacks: 2,
        awaited: { skill: 'lead' },
      });
      return conversationId;
    };
    const nothing = { turns: [], fallbacks: 0, awaited: null };

    test('only the summary of earlier messages is remembered', async () => {
      const id = await spoken();
      await set(id, { status: 'resolved', summary: 'A spade broke.', summary_until: 4 });
      expect(await recalled(id)).toMatchObject({ ...nothing, summary: 'A spade broke.' });
      await conversations.storeTurn(turn({ conversationId: id, question: 'A new one?', answer: unsure }));
      expect(await recalled(id)).toMatchObject({
        turns: [{ question: 'A new one?', answer: null }],
        fallbacks: 1,
        awaited: null,
        summary: 'A spade broke.',
      });
      expect(await stored(id)).toMatchObject({ status: 'open', memory_from: 4, message_count: 6 });
    });

    test('the same holds if the conversation was archived since', async () => {
      const id = await spoken();
      await set(id, { status: 'archived', memory_from: 4 });
      expect(await recalled(id)).toMatchObject(nothing);
      await conversations.storeTurn(turn({ conversationId: id, answer: unsure }));
      expect(await recalled(id)).toMatchObject({ turns: [{}], fallbacks: 1, awaited: null });
    });

    test.each(['snoozed', 'archived', 'escalated'])(
      'a conversation that was %s instead is remembered completely',
      async (status) => {
        const id = await spoken();
        await set(id, { status });
        await conversations.storeTurn(turn({ conversationId: id, answer: unsure }));
        expect(await recalled(id)).toMatchObject({ turns: [{}, {}, {}], fallbacks: 3 });
        expect(await stored(id)).toMatchObject({ memory_from: 0 });
      },
    );
  });

  test('remembers the last four exchanges, and earlier ones that are not summarised yet', async () => {
    const { conversationId } = await conversations.storeTurn(turn({ question: '0' }));
    for (const question of Array.from({ length: 9 }, (_, index) => String(index + 1))) {
      await conversations.storeTurn(turn({ conversationId, question }));
    }
    const remembered = async (summary_until: number) => {
      await database.kysely
        .updateTable('conversation')
        .set({ summary: 'Numbers.', summary_until })
        .where('id', '=', conversationId)
        .execute();
      const { turns } = await conversations.loadMemory({
        workspaceId,
        conversationId,
        sessionId: null,
        userId: null,
      });
      return turns.map(({ question }) => question).join('');
    };
    expect(await remembered(12)).toBe('6789');
    expect(await remembered(16)).toBe('6789');
    expect(await remembered(8)).toBe('456789');
    expect(await remembered(0)).toBe('23456789');
  });

  test('reports the memory span after each turn, also for a new conversation', async () => {
    const asked: object[] = [];
    const woken = new Conversations({
      database: database.kysely,
      clock,
      wakeSummary: (conversationId, span) => void asked.push({ conversationId, ...span }),
    });
    const { conversationId } = await woken.storeTurn(turn());
    await database.kysely
      .updateTable('conversation')
      .set({ status: 'resolved' })
      .where('id', '=', conversationId)
      .execute();
    await woken.storeTurn(turn({ conversationId }));
    expect(asked).toEqual([
      { conversationId, messageCount: 2, memoryFrom: 0, summaryUntil: 0 },
      { conversationId, messageCount: 4, memoryFrom: 2, summaryUntil: 0 },
    ]);
  });

  test('does not find a conversation of another session or workspace', async () => {
    const { conversationId } = await conversations.storeTurn(turn({ sessionId: 'visitor-1' }));
    const other = (await workspaces.create({ name: 'Other' })).workspace.id;
    const find = (request: { workspaceId: string; sessionId: string | null }) =>
      conversations.loadMemory({ conversationId, userId: null, ...request });
    await expect(find({ workspaceId, sessionId: 'visitor-2' })).rejects.toMatchObject({
      code: 'conversation_not_found',
    });
    await expect(find({ workspaceId: other, sessionId: 'visitor-1' })).rejects.toMatchObject({
      code: 'conversation_not_found',
    });
    await expect(find({ workspaceId, sessionId: 'visitor-1' })).resolves.toMatchObject({ turns: [{}] });
  });

  test('restricts a conversation to its verified visitor, and gives an anonymous one to the first verified visitor', async () => {
    const find = (conversationId: string, userId: string | null) =>
      conversations.loadMemory({ workspaceId, conversationId, sessionId: null, userId });
    const notFound = { code: 'conversation_not_found' };
    const { conversationId: own } = await conversations.storeTurn(turn({ userId: 'ada' }));
    const { conversationId: open } = await conversations.storeTurn(turn());
    await expect(find(open, null)).resolves.toMatchObject({ turns: [{}] });
    await conversations.storeTurn(turn({ conversationId: open, userId: 'ada' }));
    for (const conversationId of [own, open]) {
      await expect(find(conversationId, 'ada')).resolves.toHaveProperty('turns.0');
      for (const userId of ['bob', null]) {
        await expect(find(conversationId, userId)).rejects.toMatchObject(notFound);
        await expect(conversations.storeTurn(turn({ conversationId, userId }))).rejects.toMatchObject(
          notFound,
        );
      }
    }
  });

  test('lets one of two verified visitors continue an anonymous conversation concurrently', async () => {
    const { conversationId } = await conversations.storeTurn(turn());
    const outcomes = await Promise.allSettled(
      ['ada', 'bob'].map((userId) => conversations.storeTurn(turn({ conversationId, userId }))),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await stored(conversationId)).message_count).toBe(4);
  });

  test('does not store an answer if its conversation was deleted meanwhile', async () => {
    const { conversationId } = await conversations.storeTurn(turn());
    await database.kysely.deleteFrom('conversation').where('id', '=', conversationId).execute();
    await expect(conversations.storeTurn(turn({ conversationId }))).rejects.toMatchObject({
      code: 'conversation_not_found',
    });
    const left = await database.kysely
      .selectFrom('message')
      .select('id')
      .where('conversation_id', '=', conversationId)
      .execute();
    expect(left).toEqual([]);
  });
});
