import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { countDocumentUse } from '../../../../core/knowledge/use/document-use.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../../helpers/stores/knowledge/knowledge-base.ts';

const day = 24 * 3_600_000;

describe.each(testEngines)('the use of documents on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const { kysely } = database;
  const base = new KnowledgeBase(database);
  const now = Date.now();
  let answers = 0;

  beforeEach(async () => {
    await sql`delete from setting where name like 'document_use%'`.execute(kysely);
    await sql`delete from message`.execute(kysely);
  });

  interface Answered {
    readonly daysAgo?: number;
    readonly feedback?: 'up' | 'down';
    readonly confidence?: string;
  }

  async function answer(
    workspaceId: string,
    documents: readonly string[],
    { daysAgo = 0, feedback, confidence = 'high' }: Answered = {},
  ): Promise<string> {
    answers += 1;
    const at = new Date(now - daysAgo * day);
    const [conversation, id] = [`conv_use${answers}`, `msg_use${answers}`];
    const sources = JSON.stringify(documents.map((documentId) => ({ documentId, chunkId: 'c', score: 0.9 })));
    await sql`
      insert into conversation (id, workspace_id, channel, status, started_at, last_message_at, message_count)
      values (${conversation}, ${workspaceId}, 'api', 'open', ${at}, ${at}, 1)
    `.execute(kysely);
    await sql`
      insert into message (id, conversation_id, workspace_id, position, role, content, created_at, sources, confidence,
                           feedback, feedback_at)
      values (${id}, ${conversation}, ${workspaceId}, 0, 'assistant', 'Yes.', ${at}, ${sources}::jsonb, ${confidence},
              ${feedback ?? null}, ${feedback === undefined ? null : at})
    `.execute(kysely);
    return id;
  }

  /** Counts as maintenance does, until nothing is left to count. */
  async function count(at = now): Promise<number> {
    let rounds = 1;
    const round = () =>
      kysely.transaction().execute((transaction) => countDocumentUse(transaction, new Date(at)));
    while (await round()) rounds += 1;
    return rounds;
  }

  const listed = async (workspaceId: string, sort?: 'updated' | 'answers' | 'disliked') =>
    (await base.documents.list(workspaceId, { limit: 50, sort })).items;

  test('answers that rest on a document are counted once each, with what visitors thought of them', async () => {
    const workspaceId = await base.workspace();
    const [kettle, spoon] = [await base.add(workspaceId, '# Kettle'), await base.add(workspaceId, '# Spoon')];
    await answer(workspaceId, [kettle, kettle, spoon], { feedback: 'down' });
    await answer(workspaceId, [kettle], { feedback: 'up', daysAgo: 29 });
    await answer(workspaceId, [kettle], { daysAgo: 3 });
    await answer(workspaceId, [kettle], { daysAgo: 31 });
    await answer(workspaceId, [kettle], { confidence: 'low' });
    expect(await count()).toBeGreaterThan(28);
    const uses = new Map((await listed(workspaceId)).map(({ id, use }) => [id, use]));
    expect(uses.get(kettle)).toEqual({ answers: 3, rated: 2, disliked: 1 });
    expect(uses.get(spoon)).toEqual({ answers: 1, rated: 1, disliked: 1 });
  });

  test('an answer that names a document of another workspace counts for nobody', async () => {
    const [workspaceId, other] = [await base.workspace(), await base.workspace()];
    const id = await base.add(workspaceId, '# Kettle');
    await answer(other, [id]);
    await count();
    expect((await listed(workspaceId)).map(({ use }) => use.answers)).toEqual([0]);
  });

  test('a later opinion about an old answer is counted, and a withdrawn one is taken back', async () => {
    const workspaceId = await base.workspace();
    const id = await base.add(workspaceId, '# Kettle');
    const old = await answer(workspaceId, [id], { daysAgo: 5 });
    await count();
    const rate = async (feedback: 'down' | null, at: number) => {
      await sql`
        update message set feedback = ${feedback}, feedback_at = ${new Date(at)} where id = ${old}
      `.execute(kysely);
      await count(at + 6 * 60_000);
      return (await listed(workspaceId))[0]?.use;
    };
    expect(await rate('down', now + 60_000)).toEqual({ answers: 1, rated: 1, disliked: 1 });
    expect(await rate(null, now + 20 * 60_000)).toEqual({ answers: 1, rated: 0, disliked: 0 });
  });

  test('documents are sorted by answers and by share of thumbs down, and pages continue where the last one ended', async () => {
    const workspaceId = await base.workspace();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) ids.push(await base.add(workspaceId, `# ${name}`));
    const [never = '', liked = '', mixed = '', hated = ''] = ids;
    for (const _ of [1, 2, 3]) await answer(workspaceId, [liked], { feedback: 'up' });
    await answer(workspaceId, [mixed], { feedback: 'up' });
    await answer(workspaceId, [mixed], { feedback: 'down' });
    await answer(workspaceId, [hated], { feedback: 'down' });
    await count();
    for (const [sort, order] of [
      ['answers', [liked, mixed, hated, never]],
      ['disliked', [hated, mixed, liked, never]],
    ] as const) {
      expect((await listed(workspaceId, sort)).map(({ id }) => id)).toEqual(order);
      const paged: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await base.documents.list(workspaceId, { limit: 1, sort, ...(cursor && { cursor }) });
        paged.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(paged).toEqual(order);
    }
  });

  test('counting waits five minutes, and forgets days that are over', async () => {
    const workspaceId = await base.workspace();
    const id = await base.add(workspaceId, '# Kettle');
    await answer(workspaceId, [id], { daysAgo: 20 });
    await count();
    await answer(workspaceId, [id]);
    await count(now + 60_000);
    expect((await listed(workspaceId))[0]?.use.answers).toBe(1);
    await count(now + 6 * 60_000);
    expect((await listed(workspaceId))[0]?.use.answers).toBe(2);
    await count(now + 15 * day);
    const { rows } = await sql`select 1 from document_day where document_id = ${id}`.execute(kysely);
    expect(rows).toHaveLength(1);
  });
});
