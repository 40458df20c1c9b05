import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type CountedKind, listCounted } from '../../../core/insights/counted-conversations.ts';
import {
  countOutcomes,
  countSatisfaction,
  findCoverage,
  measurePeople,
} from '../../../core/insights/episode-panels.ts';
import { outcomes } from '../../../core/insights/outcomes.ts';
import {
  breakDown,
  breakdowns,
  countCost,
  countDocuments,
  countQuestions,
} from '../../../core/insights/question-panels.ts';
import { rollUpInsights } from '../../../core/insights/roll-up.ts';
import type { InsightFilters, InsightScope } from '../../../core/insights/scope.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { fillHistory } from '../../helpers/stores/insights/fill-history.ts';
import { KnowledgeBase } from '../../helpers/stores/knowledge/knowledge-base.ts';

const hour = 3_600_000;
const now = new Date();
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

describe.each(testEngines)('insights on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const { kysely } = database;
  const base = new KnowledgeBase(database);
  const [workspaceId, other] = [await base.workspace(), await base.workspace()];
  const documents = [await base.store(workspaceId, '# Used'), await base.store(workspaceId, '# Unused')];
  await sql`update document set status = 'indexed'`.execute(kysely);
  const history = { conversations: 300, before: new Date(now.getTime() - hour), days: 40 };
  await fillHistory(kysely, { ...history, workspaceId, documents: documents.slice(0, 1) });
  await fillHistory(kysely, { ...history, workspaceId: other, conversations: 20 });

  const round = (at = now) =>
    kysely.transaction().execute((transaction) => rollUpInsights({ transaction, now: at }, () => 'message'));
  const counted = [await round(), await round(), await round()];

  const scopeWith = (filters: InsightFilters = {}, of = workspaceId): InsightScope => ({
    ...{ workspaceId: of, zone: 'Europe/Berlin', filters, now },
    ...{ from: dayOf(now.getTime() - 60 * 24 * hour), to: dayOf(now.getTime() + 24 * hour) },
  });

  /** The ids of all conversations behind a number, page by page. */
  async function listed(kind: CountedKind, scope: InsightScope): Promise<readonly string[]> {
    const ids: string[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const found = await listCounted(kysely, scope, { kind, page: { limit: 100, cursor } });
      ids.push(...found.items.map(({ id }) => id));
      cursor = found.nextCursor;
    }
    return ids;
  }

  test('every conversation is counted once, and again only when it changes', async () => {
    expect(counted).toEqual([200, 120, 0]);
    expect((await findCoverage(kysely, workspaceId)).since).toBeInstanceOf(Date);
    const [id = ''] = await listed('ended', scopeWith());
    await sql`update conversation set updated_at = ${now} where id = ${id}`.execute(kysely);
    expect([await round(), await round(new Date(now.getTime() + hour))]).toEqual([0, 1]);
  });

  test('the outcomes add up, and each has its conversations behind it', async () => {
    const { ended, counts, open } = await countOutcomes(kysely, scopeWith());
    expect(outcomes.reduce((sum, name) => sum + counts[name], 0)).toBe(ended);
    expect(ended).toBeGreaterThan(200);
    expect(open).toBe((await listed('open', scopeWith())).length);
    for (const outcome of outcomes) {
      expect(counts[outcome]).toBeGreaterThan(0);
      expect((await listed('ended', scopeWith({ outcome }))).length).toBe(counts[outcome]);
    }
  });

  test('the questions of days, channels, languages, audiences and hours are the same ones', async () => {
    const { days, asked, answered, share } = await countQuestions(kysely, scopeWith());
    expect(days.reduce((sum, { high, medium, low }) => sum + high + medium + low, 0)).toBe(asked);
    expect(share?.low).toBeLessThan(answered / asked);
    for (const by of breakdowns) {
      const rows = await breakDown(kysely, scopeWith(), by);
      expect(rows.reduce((sum, row) => sum + row.asked, 0)).toBe(asked);
      const [row] = rows;
      if (row === undefined) throw new TypeError('no row');
      const key = by === 'hour' ? { hour: Number(row.key) } : { [by]: row.key };
      const filtered = await countQuestions(kysely, scopeWith(key));
      expect([filtered.asked, filtered.answered]).toEqual([row.asked, row.answered]);
    }
    expect((await breakDown(kysely, scopeWith(), 'language')).map(({ key }) => key)).toContain('de');
  });

  test('a list holds each conversation with such a question once', async () => {
    const ids = await listed('asked', scopeWith({ language: 'de', channel: 'email' }));
    const { rows } = await sql<{ count: number }>`
      select count(distinct (conversation_id, episode))::int as count from insight_question
      where workspace_id = ${workspaceId} and language = 'de' and channel = 'email'
    `.execute(kysely);
    expect(ids.length).toBe(rows[0]?.count);
    expect((await listed('thumbs_up', scopeWith())).length).toBeGreaterThan(0);
    expect((await listed('failed_over', scopeWith())).length).toBeGreaterThan(0);
  });

  test('people are measured from the handover, of conversations that had one', async () => {
    const { handedOver, firstReply, solved } = await measurePeople(kysely, scopeWith());
    expect(handedOver).toBe((await listed('handed_over', scopeWith())).length);
    expect(firstReply.count).toBe((await listed('replied', scopeWith())).length);
    expect(firstReply.p50).toBeLessThanOrEqual(firstReply.p90 ?? 0);
    expect(firstReply.p90).toBeLessThanOrEqual(hour / 1_000);
    expect(solved.count).toBeGreaterThan(0);
  });

  test('documents are used or not, and models cost', async () => {
    const used = await countDocuments(kysely, scopeWith());
    expect(used).toMatchObject({ used: [{ id: documents[0] }], total: 2, unusedCount: 1 });
    expect(used.unused.map(({ id }) => id)).toEqual(documents.slice(1));
    const { asked, up, down } = await countSatisfaction(kysely, scopeWith());
    const models = await countCost(kysely, scopeWith());
    expect(models.map(({ model }) => model).sort()).toEqual([null, 'openai:gpt'].sort());
    expect(models.reduce((sum, { answers }) => sum + answers, 0)).toBe(asked);
    expect(up + down).toBeLessThan(asked);
  });

  test('another workspace counts its own, and a deleted conversation counts no more', async () => {
    const { ended, open } = await countOutcomes(kysely, scopeWith({}, other));
    expect(ended + open).toBeLessThan(40);
    await sql`delete from conversation where workspace_id = ${other}`.execute(kysely);
    const panels = [
      (await countOutcomes(kysely, scopeWith({}, other))).ended,
      (await countQuestions(kysely, scopeWith({}, other))).asked,
      (await countDocuments(kysely, scopeWith({}, other))).total,
    ];
    expect(panels).toEqual([0, 0, 0]);
  });

  test('the limit of a day is midnight in the time zone of the workspace', async () => {
    const at = sql`timestamptz '2026-03-10 23:30:00+00'`;
    await sql`
      insert into conversation (id, workspace_id, channel, started_at, last_message_at)
      values ('conv_zone', ${other}, 'api', ${at}, ${at})
    `.execute(kysely);
    await sql`
      insert into insight_episode (conversation_id, number, workspace_id, channel, first_position, started_at, ended_at, settles_at,
                                   outcome, rating_asked)
      values ('conv_zone', 1, ${other}, 'api', 0, ${at}, ${at}, ${at}, 'assumed', false)
    `.execute(kysely);
    const endedOn = async (day: string, zone: string) =>
      (await countOutcomes(kysely, { ...scopeWith({}, other), from: day, to: day, zone })).ended;
    expect([await endedOn('2026-03-10', 'UTC'), await endedOn('2026-03-10', 'Europe/Berlin')]).toEqual([
      1, 0,
    ]);
    expect(await endedOn('2026-03-11', 'Europe/Berlin')).toBe(1);
  });
});
