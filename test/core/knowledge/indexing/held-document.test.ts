import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../../core/base/clock.ts';
import { ingestDocument, ingestNext } from '../../../../core/knowledge/indexing/ingest-document.ts';
import { wordEmbedder } from '../../../helpers/models/embedding/word-embedder.ts';
import { plainReader } from '../../../helpers/models/plain-reader.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../../helpers/stores/knowledge/knowledge-base.ts';

const page = (parts: number, name = 'kettle') =>
  Array.from({ length: parts }, (_, part) => `## Part ${part}\n\nThe ${name} has part ${part}.\n\n`).join('');

/** More than 256 KB, which no slice of the tests gets through. */
const largePage = (name: string) =>
  Array.from(
    { length: 200 },
    (_, part) => `## Part ${part}\n\nThe ${name} has part ${part} ${'below its lid '.repeat(100)}.\n\n`,
  ).join('');

describe.each(testEngines)('documents and their workers on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const { kysely } = database;
  const base = new KnowledgeBase(database);
  const dependencies = { database: kysely, embedder: base.embedder, reader: plainReader, clock: systemClock };
  const slice = { passages: 16, ms: Number.POSITIVE_INFINITY };
  const work = (processId = 'one', mostOfWorkspace = 3) =>
    ingestNext(dependencies, { processId, mostOfWorkspace }, slice);
  const chunksOf = async (id: string) => {
    const { rows } = await sql<{ ordinal: number }>`
      select ordinal from chunk join document on document.number = document_number where document.id = ${id}
      order by ordinal
    `.execute(kysely);
    return rows.map(({ ordinal }) => ordinal);
  };
  /** Lets the leases end without their holder, which might renew them meanwhile. */
  const endLeases = () =>
    sql`update indexing_lease set holder = null, held_until = now() - interval '1 second'`.execute(kysely);
  const finishAll = async () => {
    while ((await work()) !== null);
  };

  test('of two workers at the same document one works, and the other leaves quietly', async () => {
    const workspace = await base.workspace();
    const id = await base.store(workspace, page(20));
    let second: unknown;
    base.embedder.onPassage = async () => {
      base.embedder.onPassage = () => {};
      second = [await base.ingest(id), await work('two')];
    };
    expect(await base.ingest(id)).toBe('indexed');
    expect(second).toEqual(['nothing-to-do', null]);
    expect(await chunksOf(id)).toEqual(Array.from({ length: 20 }, (_, ordinal) => ordinal));
  });

  test('a worker whose lease another one has taken over writes nothing', async () => {
    const workspace = await base.workspace();
    const id = await base.store(workspace, page(40));
    const other = { ...dependencies, embedder: wordEmbedder() };
    const takenOver = Promise.withResolvers<string>();
    base.embedder.onPassage = async (text) => {
      if (!text.includes('part 20.')) return;
      base.embedder.onPassage = () => {};
      await endLeases();
      takenOver.resolve(ingestDocument(other, id));
      await takenOver.promise;
    };
    expect([await base.ingest(id), await takenOver.promise]).toEqual(['superseded', 'indexed']);
    expect(await chunksOf(id)).toEqual(Array.from({ length: 40 }, (_, ordinal) => ordinal));
    expect(await base.documents.get(workspace, id)).toMatchObject({ status: 'indexed', chunkCount: 40 });
  });

  test('a document that is deleted at the moment when a worker takes it can be restored whole', async () => {
    const workspace = await base.workspace();
    const id = await base.add(workspace, page(3));
    await base.changes.reindex({ workspaceId: workspace, id });
    let isTaken = false;
    const interrupted = kysely.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (isTaken) return result;
        isTaken = true;
        await base.documents.delete(workspace, id, { restorableMs: 60_000 });
        return result;
      },
    });
    expect(await ingestDocument({ ...dependencies, database: interrupted }, id)).toBe('nothing-to-do');
    await base.changes.restore({ workspaceId: workspace, id });
    expect(await chunksOf(id)).toEqual([0, 1, 2]);
    await endLeases();
    expect(await base.ingest(id)).toBe('indexed');
    expect(await chunksOf(id)).toEqual([0, 1, 2]);
  });

  test('a URL that is changed while the document is indexed stays', async () => {
    const workspace = await base.workspace();
    const id = await base.store(workspace, page(3), { url: 'https://help.example/before' });
    base.embedder.onPassage = async () => {
      base.embedder.onPassage = () => {};
      await base.changes.change({ workspaceId: workspace, id }, { url: 'https://help.example/after' });
    };
    expect(await base.ingest(id)).toBe('indexed');
    expect(await base.documents.get(workspace, id)).toMatchObject({ url: 'https://help.example/after' });
  });

  test('a text that the workspace contains is not embedded again, and that of another workspace is', async () => {
    const [workspace, other] = [await base.workspace(), await base.workspace()];
    const options = { title: 'Manual' };
    base.embedder.embedded.length = 0;
    await base.add(workspace, page(3, 'toaster') + page(3, 'toaster'), options);
    await base.add(workspace, page(3, 'toaster'), options);
    const passages = () => base.embedder.embedded.filter((text) => text.includes('Part 1')).length;
    expect(passages()).toBe(1);
    await base.add(other, page(3, 'toaster'), options);
    expect(passages()).toBe(2);
  });

  test('a long document is indexed in slices, and those of other workspaces have their turns between', async () => {
    const [long, short] = [await base.workspace(), await base.workspace()];
    const first = await base.store(long, page(60));
    const order: (string | undefined)[] = [(await work())?.documentId];
    const second = await base.store(short, page(2));
    for (let at = 0; at < 4; at += 1) order.push((await work())?.documentId);
    expect(order).toEqual([first, second, first, first, first]);
    expect(await work()).toBeNull();
    expect(await chunksOf(first)).toHaveLength(60);
  });

  test('small and published documents come before the first load of a large one', async () => {
    const workspace = await base.workspace();
    const published = await base.add(workspace, page(2), { url: 'https://help.example/published' });
    const large = await base.store(workspace, largePage('boiler'));
    const small = await base.store(workspace, page(2));
    await base.store(workspace, largePage('kettle'), { url: 'https://help.example/published' });
    const order = [(await work())?.documentId, (await work())?.documentId];
    expect(order).toEqual([small, published]);
    await sql`update document set updated_at = now() - interval '3 minutes' where id = ${large}`.execute(
      kysely,
    );
    expect((await work())?.documentId).toBe(large);
    for (const id of [large, published]) await base.documents.delete(workspace, id);
    await finishAll();
  });

  test('one workspace has a share of the slots of a process', async () => {
    const [busy, quiet] = [await base.workspace(), await base.workspace()];
    const [one, two] = [await base.store(busy, page(2)), await base.store(busy, page(3))];
    const turns: unknown[] = [];
    base.embedder.onPassage = async () => {
      base.embedder.onPassage = () => {};
      turns.push(await work('one', 1));
      const other = await base.store(quiet, page(2));
      turns.push((await work('one', 1))?.documentId === other);
      turns.push((await work('two', 1))?.documentId === two);
    };
    expect((await work('one', 1))?.documentId).toBe(one);
    expect(turns).toEqual([null, true, true]);
  });

  test('passages of a scope are written and removed at the same time', async () => {
    const workspace = await base.workspace();
    const urls = Array.from({ length: 4 }, (_, at) => `https://help.example/${at}`);
    for (const url of urls) await base.add(workspace, page(18), { url });
    const ids = await Promise.all(urls.map((url) => base.store(workspace, page(18, 'pot'), { url })));
    const outcomes = await Promise.all(ids.map((id) => base.ingest(id)));
    expect(new Set(outcomes)).toEqual(new Set(['indexed']));
  });

  test('a document that an earlier version left half indexed is indexed anew', async () => {
    const workspace = await base.workspace();
    const id = await base.store(workspace, page(20));
    base.embedder.onPassage = (text) => {
      if (text.includes('part 18.')) throw new TypeError('the process is gone');
    };
    await expect(base.ingest(id)).rejects.toThrow('the process is gone');
    base.embedder.onPassage = () => {};
    await sql`delete from indexing_passage`.execute(kysely);
    await sql`delete from indexing_lease`.execute(kysely);
    expect(await chunksOf(id)).toHaveLength(16);
    expect((await work())?.documentId).toBe(id);
    await finishAll();
    expect(await chunksOf(id)).toEqual(Array.from({ length: 20 }, (_, ordinal) => ordinal));
    expect(await base.documents.get(workspace, id)).toMatchObject({ status: 'indexed', chunkCount: 20 });
  });

  test('an error of the server is tried five times with pauses, and then recorded', async () => {
    const workspace = await base.workspace();
    const id = await base.store(workspace, page(2));
    base.embedder.onPassage = () => {
      throw new TypeError('the embedder died');
    };
    // The passages that it read are progress: the attempts count from there.
    expect(await work()).toMatchObject({ outcome: 'unfinished', pauseMs: 1_000 });
    expect(await work()).toBeNull();
    const pauses: unknown[] = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await endLeases();
      const { outcome, pauseMs } = (await work()) ?? {};
      pauses.push([outcome, pauseMs]);
    }
    expect(pauses).toEqual([
      ['unfinished', 1_000],
      ['unfinished', 2_000],
      ['unfinished', 4_000],
      ['unfinished', 8_000],
      ['failed', 16_000],
    ]);
    base.embedder.onPassage = () => {};
    expect((await base.documents.get(workspace, id)).failure?.code).toBe('indexing_failed');
    await endLeases();
    await finishAll();
    expect(await chunksOf(id)).toEqual([]);
  });
});
