import { describe, expect, test } from 'vitest';
import { checkNextDocument } from '../../../../core/knowledge/facts/check-document.ts';
import { endFactCheck, holdFactCheck } from '../../../../core/knowledge/facts/fact-checks.ts';
import { FactConflicts, findConflictsOf } from '../../../../core/knowledge/facts/fact-conflicts.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../../helpers/stores/knowledge/knowledge-base.ts';

describe.each(testEngines)('contradictions of documents on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const { kysely } = database;
  const base = new KnowledgeBase(database);
  let now = new Date('2026-11-27T12:00:00Z');
  const clock = { now: () => now };
  const conflicts = new FactConflicts({ database: kysely, clock });

  async function check(): Promise<void> {
    while ((await checkNextDocument({ database: kysely, clock })) !== null);
  }

  async function add(workspaceId: string, title: string, text: string, audience: readonly string[] = []) {
    const id = await base.add(workspaceId, `# ${title}\n\n${text}\n`, { title, audience });
    await check();
    return id;
  }

  async function replace(workspaceId: string, id: string, text: string, { isChecked = true } = {}) {
    await base.changes.replace(
      { workspaceId, id },
      { bytes: Buffer.from(text), contentType: 'text/markdown' },
    );
    await base.ingest(id);
    if (isChecked) await check();
  }

  const list = async (workspaceId: string, status: 'open' | 'dismissed' | 'resolved' = 'open') =>
    (await conflicts.list(workspaceId, { status, limit: 50 })).items;
  const [five, six] = ['The pass for the lake costs €5.', 'The pass for the lake costs €6.'];

  test('two documents that name different values are listed, each with its text and value', async () => {
    const workspaceId = await base.workspace();
    const one = await add(workspaceId, 'Passes', five);
    expect(await list(workspaceId)).toEqual([]);
    const other = await add(workspaceId, 'Lake', six);
    const [found, ...more] = await list(workspaceId);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ kind: 'number', status: 'open', foundAt: now });
    expect(found?.sides.map(({ documentId, text, mark }) => [documentId, text, mark])).toEqual([
      [one, five, '€5'],
      [other, six, '€6'],
    ]);
  });

  test('a contradiction is resolved when one of its texts changes, and open again when it comes back', async () => {
    const workspaceId = await base.workspace();
    await add(workspaceId, 'Passes', five);
    const other = await add(workspaceId, 'Lake', six);
    await replace(workspaceId, other, five);
    expect([(await list(workspaceId)).length, (await list(workspaceId, 'resolved')).length]).toEqual([0, 1]);
    await replace(workspaceId, other, six);
    expect([(await list(workspaceId)).length, (await list(workspaceId, 'resolved')).length]).toEqual([1, 0]);
  });

  test('a dismissed conflict stays dismissed when its document is indexed again', async () => {
    const workspaceId = await base.workspace();
    await add(workspaceId, 'Passes', five);
    const other = await add(workspaceId, 'Lake', six);
    const [found] = await list(workspaceId);
    await conflicts.change(workspaceId, found?.id ?? '', 'dismissed');
    await replace(workspaceId, other, `${six} Bring it with you whenever you come to swim.`);
    expect([(await list(workspaceId)).length, (await list(workspaceId, 'dismissed')).length]).toEqual([0, 1]);
  });

  test('a contradiction of another workspace cannot be changed', async () => {
    const [workspaceId, other] = [await base.workspace(), await base.workspace()];
    await add(workspaceId, 'Passes', five);
    await add(workspaceId, 'Lake', six);
    const [found] = await list(workspaceId);
    await expect(conflicts.change(other, found?.id ?? '', 'dismissed')).rejects.toMatchObject({
      code: 'fact_conflict_not_found',
    });
    expect(await list(workspaceId)).toHaveLength(1);
    expect(await list(other)).toEqual([]);
  });

  test('a contradiction is deleted with its document', async () => {
    const workspaceId = await base.workspace();
    await add(workspaceId, 'Passes', five);
    const other = await add(workspaceId, 'Lake', six);
    await base.documents.delete(workspaceId, other);
    expect(await list(workspaceId)).toEqual([]);
    await base.ingest(other);
    const rows = await kysely.selectFrom('fact_conflict').where('workspace_id', '=', workspaceId).execute();
    expect(rows).toEqual([]);
  });

  test('documents that no visitor sees together are not compared', async () => {
    const workspaceId = await base.workspace();
    await add(workspaceId, 'Passes', five, ['staff']);
    await add(workspaceId, 'Lake', six, ['trade']);
    expect(await list(workspaceId)).toEqual([]);
    await add(workspaceId, 'Town', 'The pass for the lake costs €7.');
    expect(await list(workspaceId)).toHaveLength(2);
  });

  test('a contradiction ends when no visitor sees both documents any more', async () => {
    const workspaceId = await base.workspace();
    await add(workspaceId, 'Passes', five, ['staff']);
    const other = await add(workspaceId, 'Lake', six);
    expect(await list(workspaceId)).toHaveLength(1);
    await base.changes.change({ workspaceId, id: other }, { audience: ['trade'] });
    await base.ingest(other);
    await check();
    expect(await list(workspaceId)).toEqual([]);
  });

  test('a text is out of date from the day after its last day on', async () => {
    const workspaceId = await base.workspace();
    await add(workspaceId, 'Offer', 'The offer for lamps is valid until 30 November 2026.');
    now = new Date('2026-11-30T23:00:00Z');
    expect(await list(workspaceId)).toEqual([]);
    now = new Date('2026-12-01T00:00:00Z');
    expect((await list(workspaceId)).map(({ kind, sides }) => [kind, sides[0]?.value])).toEqual([
      ['past', '2026-11-30'],
    ]);
    now = new Date('2026-11-27T12:00:00Z');
  });

  test('an answer learns of the other passage only if its visitor may read that', async () => {
    const workspaceId = await base.workspace();
    await add(workspaceId, 'Passes', five);
    await add(workspaceId, 'Lake', six, ['staff']);
    const [found] = await list(workspaceId);
    const [shown] = found?.sides ?? [];
    const shownOnly = { workspaceId, chunkIds: [shown?.chunkId ?? ''] };
    expect(await findConflictsOf(kysely, { ...shownOnly, audience: [] })).toEqual([]);
    const [told] = await findConflictsOf(kysely, { ...shownOnly, audience: ['staff'] });
    expect([told?.shown.text, told?.other.text, told?.other.title]).toEqual([five, six, 'Lake']);
    const other = await base.workspace();
    const foreign = await findConflictsOf(kysely, { ...shownOnly, workspaceId: other, audience: ['staff'] });
    expect(foreign).toEqual([]);
  });

  test('a revision that is published during a check is checked as well', async () => {
    const workspaceId = await base.workspace();
    await add(workspaceId, 'Passes', five);
    const other = await base.add(workspaceId, `# Lake\n\n${five}\n`, { title: 'Lake' });
    const { number } = await kysely
      .selectFrom('document')
      .select('number')
      .where('id', '=', other)
      .executeTakeFirstOrThrow();
    const waiting = () =>
      kysely.selectFrom('fact_check').select('revision').where('document_number', '=', number).execute();
    expect(await waiting()).toEqual([{ revision: 1 }]);
    const held = await holdFactCheck(kysely);
    await replace(workspaceId, other, six, { isChecked: false });
    await endFactCheck(kysely, held ?? { documentNumber: number, revision: 0 });
    expect(await waiting()).toEqual([{ revision: 2 }]);
    await check();
    expect([await waiting(), (await list(workspaceId)).length]).toEqual([[], 1]);
  });
});
