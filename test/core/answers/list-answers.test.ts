import { afterAll, describe, expect, test } from 'vitest';
import { type AnswerFilters, listAnswers } from '../../../core/answers/list-answers.ts';
import { findReview, reviewAnswer } from '../../../core/answers/reviews.ts';
import { listWorkspaceAudit } from '../../../core/audit/workspace-audit.ts';
import { createLog } from '../../../core/base/log.ts';
import { humanSkill } from '../../../core/contract/skill.ts';
import { packTrace } from '../../../core/contract/trace/stored-trace.ts';
import type { Turn } from '../../../core/conversations/messages/turn.ts';
import { openQueue } from '../../../core/queue/queue.ts';
import { runMaintenance } from '../../../workers/maintenance/worker.ts';
import { plainTurn } from '../../helpers/models/plain-turn.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestInbox } from '../../helpers/stores/inbox/open-test-inbox.ts';

const log = createLog('silent');
const dayMs = 24 * 3_600_000;
const reviewer = { id: null, name: 'Ann' };

const trace = packTrace({
  v: 1,
  path: 'quoted',
  ms: {},
  question: { language: 'en', audience: [], verified: false, turns: 0, masked: false },
  ...{ readings: [], found: 0, passages: [], attempts: [], sentences: [], skills: [] },
  limits: { maybe: 0.3, answer: 0.4, high: 0.7 },
  settings: { strictness: 'strict', model: null, skills: 0, corrected: false },
});

describe.each(testEngines)('the log of answers on %s', async (engine) => {
  const { say, pass, clock, makeWorkspace, workspaces, database } = await openTestInbox(engine);
  const { kysely } = database;
  const { answer } = plainTurn('');
  const list = async (workspaceId: string, filters: AnswerFilters = {}, page = { limit: 50 }) =>
    listAnswers(kysely, { workspaceId, ...filters }, page);

  /** Stores a turn a minute later than the one before. */
  const add = async (workspaceId: string, question: string, change: Partial<Turn> = {}) => {
    pass(60_000);
    const conversationId = await say({ workspaceId, question, ...change });
    const { id } = await kysely
      .selectFrom('message')
      .select('id')
      .where('conversation_id', '=', conversationId)
      .where('role', '=', 'assistant')
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    return { conversationId, id };
  };
  const questions = async (workspaceId: string, filters: AnswerFilters) =>
    (await list(workspaceId, filters)).items.map(({ question }) => question);

  test('pages through the answers of one workspace, newest first, each once', async () => {
    const { id } = await makeWorkspace();
    const { id: other } = await makeWorkspace();
    await add(other, 'elsewhere');
    for (const question of ['one', 'two', 'three']) await add(id, question);
    const first = await list(id, {}, { limit: 2 });
    expect(first.items.map(({ question }) => question)).toEqual(['three', 'two']);
    const cursor = first.nextCursor ?? '';
    const rest = await listAnswers(kysely, { workspaceId: id }, { limit: 2, cursor });
    expect([rest.items.map(({ question }) => question), rest.nextCursor]).toEqual([['one'], null]);
    await expect(listAnswers(kysely, { workspaceId: other }, { limit: 2, cursor })).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
  });

  test('filters by what the answer is, where it went, what was said of it and when', async () => {
    const { id } = await makeWorkspace();
    const low = { answer: { ...answer, confidence: 'low', tier: 'maybe' } } as const;
    const sure = await add(id, 'Sure?', { channel: 'telegram' });
    const at = clock.now();
    const unsure = await add(id, 'Perhaps a zebra?', low);
    await kysely
      .updateTable('message')
      .set({ feedback: 'down', feedback_at: clock.now() })
      .where('id', '=', sure.id)
      .execute();
    expect(await questions(id, { confidence: 'high' })).toEqual(['Sure?']);
    expect(await questions(id, { tier: 'maybe' })).toEqual(['Perhaps a zebra?']);
    expect(await questions(id, { channel: 'telegram' })).toEqual(['Sure?']);
    expect(await questions(id, { feedback: 'down' })).toEqual(['Sure?']);
    expect(await questions(id, { feedback: 'none' })).toEqual(['Perhaps a zebra?']);
    expect(await questions(id, { search: 'zebra' })).toEqual(['Perhaps a zebra?']);
    expect(await questions(id, { search: 'thirty days' })).toHaveLength(2);
    expect(await questions(id, { until: at })).toEqual([]);
    expect(await questions(id, { since: at, act: 'quote' })).toEqual([]);
    await reviewAnswer(
      { database: kysely, clock },
      { workspaceId: id, messageId: unsure.id, verdict: 'wrong', reviewer },
    );
    expect(await questions(id, { reviewed: 'wrong' })).toEqual(['Perhaps a zebra?']);
    expect(await questions(id, { reviewed: 'none' })).toEqual(['Sure?']);
  });

  test('those to review are disliked, unsure, or followed by a wish for a person, until someone judges them', async () => {
    const { id } = await makeWorkspace();
    await add(id, 'fine');
    const low = await add(id, 'none', { answer: { ...answer, confidence: 'low', tier: 'none' } });
    const { conversationId } = await add(id, 'unhelpful');
    await add(id, 'A person!', { conversationId, answer: { ...answer, skillsFired: [humanSkill] } });
    expect(await questions(id, { toReview: true })).toEqual(['unhelpful', 'none']);
    const verdict = { workspaceId: id, messageId: low.id, verdict: 'not_ours', reviewer } as const;
    await reviewAnswer({ database: kysely, clock }, verdict);
    expect(await questions(id, { toReview: true })).toEqual(['unhelpful']);
  });

  test('a review replaces the one before, is audited once, and is taken back', async () => {
    const { id: workspaceId } = await makeWorkspace();
    const { id: messageId } = await add(workspaceId, 'Really?');
    const stores = { database: kysely, clock };
    for (const verdict of ['wrong', 'right', 'right', null] as const)
      await reviewAnswer(stores, { workspaceId, messageId, verdict, reviewer });
    expect(await findReview(kysely, { workspaceId, messageId })).toBeNull();
    const scope = { workspaceId, ownerId: null };
    const log = await listWorkspaceAudit(kysely, scope, { conversations: true }, { limit: 10 });
    expect(log.items.map(({ action, actor, details }) => [action, actor, details.to])).toEqual([
      ['answer_reviewed', 'Ann', null],
      ['answer_reviewed', 'Ann', 'right'],
      ['answer_reviewed', 'Ann', 'wrong'],
    ]);
    const { id: other } = await makeWorkspace();
    const foreign = reviewAnswer(stores, { workspaceId: other, messageId, verdict: 'right', reviewer });
    await expect(foreign).rejects.toMatchObject({ code: 'message_not_found' });
  });

  test('traces go after the days of their workspace, the answers and their reviews stay', async () => {
    // Its conversations outlive the traces.
    const growing = { name: 'Test', plan: 'growth' } as const;
    const { id: usual } = (await workspaces.create(growing)).workspace;
    const { id: brief } = (await workspaces.create({ ...growing, settings: { trace_days: 2 } })).workspace;
    const kept = await add(usual, 'kept', { trace });
    const gone = await add(brief, 'gone', { trace });
    await reviewAnswer(
      { database: kysely, clock },
      { workspaceId: brief, messageId: gone.id, verdict: 'right', reviewer },
    );
    const paths = async () => [
      (await list(usual)).items.map(({ id, path }) => [id, path]),
      (await list(brief)).items.map(({ id, path, verdict }) => [id, path, verdict]),
    ];
    const queue = await openQueue({ pool: database.pool, redis: undefined }, log);
    afterAll(() => queue.close());
    const tidy = () =>
      runMaintenance(
        { database, clock, queue, log, connectors: { connectors: [], findConnector: () => undefined } },
        new AbortController().signal,
      );
    pass(2 * dayMs);
    await tidy();
    expect(await paths()).toEqual([[[kept.id, 'quoted']], [[gone.id, 'quoted', 'right']]]);
    pass(60_001);
    await tidy();
    expect(await paths()).toEqual([[[kept.id, 'quoted']], [[gone.id, null, 'right']]]);
    pass(28 * dayMs);
    await tidy();
    expect(await paths()).toEqual([[[kept.id, null]], [[gone.id, null, 'right']]]);
  });

  test('a deleted conversation takes answers, traces and reviews along', async () => {
    const { id: workspaceId } = await makeWorkspace();
    const { id: messageId, conversationId } = await add(workspaceId, 'Bye', { trace });
    const judged = { workspaceId, messageId, verdict: 'right', reviewer } as const;
    await reviewAnswer({ database: kysely, clock }, judged);
    await kysely.deleteFrom('conversation').where('id', '=', conversationId).execute();
    expect((await list(workspaceId)).items).toEqual([]);
    expect(await findReview(kysely, { workspaceId, messageId })).toBeNull();
  });
});
