import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../../helpers/stores/knowledge/knowledge-base.ts';

const section = (topic: string) =>
  `## ${topic}\n\nAll there is to say about the ${topic} of a kettle, in one sentence.\n\n`;
const manual = ['handle', 'spout', 'lid', 'cord'].map(section).join('');

describe.each(testEngines)('ingestDocument on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const base = new KnowledgeBase(database);
  const url = 'https://help.example/manual';

  const leftovers = async () => {
    const { rows } = await sql<{
      chunks: number;
      postings: number;
      vectors: number;
      sentences: number;
      terms: number;
      counted: number;
    }>`
      select (select count(*)::int from chunk) as chunks, (select count(*)::int from posting) as postings,
             (select count(*)::int from chunk_vector) as vectors,
             (select count(*)::int from sentence_vector) as sentences, (select count(*)::int from term_count) as terms,
             (select coalesce(sum(chunk_count), 0)::int from scope) as counted
    `.execute(database.kysely);
    return rows[0];
  };
  const nothing = { chunks: 0, postings: 0, vectors: 0, sentences: 0, terms: 0, counted: 0 };

  test('a document goes from queued to indexed with its title, URL and chunk count', async () => {
    const workspace = await base.workspace();
    const page = `---\ntitle: The manual\nurl: ${url}\n---\n\n${manual}`;
    const id = await base.store(workspace, page);
    expect(await base.documents.get(workspace, id)).toMatchObject({ status: 'queued', progress: 0 });
    expect(await base.ingest(id)).toBe('indexed');
    expect(await base.documents.get(workspace, id)).toMatchObject({
      status: 'indexed',
      progress: 100,
      title: 'The manual',
      url,
      chunkCount: 4,
      failure: null,
    });
    await base.documents.delete(workspace, id);
    await base.ingest(id);
  });

  test('a deleted document leaves searches at once, and the tables after its removal', async () => {
    const workspace = await base.workspace();
    const id = await base.add(workspace, manual);
    await base.documents.delete(workspace, id);
    expect(await base.search(workspace, 'kettle handle')).toEqual([]);
    await expect(base.documents.get(workspace, id)).rejects.toMatchObject({ code: 'document_not_found' });
    await base.ingest(id);
    expect(await leftovers()).toEqual(nothing);
  });

  test('unchanged content is not indexed again', async () => {
    const workspace = await base.workspace();
    const id = await base.add(workspace, manual, { url });
    const embedded = base.embedder.embedded.length;
    expect(await base.store(workspace, manual, { url })).toBe(id);
    expect(await base.ingest(id)).toBe('nothing-to-do');
    expect(base.embedder.embedded).toHaveLength(embedded);
  });

  test('only changed passages are embedded again', async () => {
    const workspace = await base.workspace();
    const id = await base.add(workspace, manual, { url });
    base.embedder.embedded.length = 0;
    expect(await base.add(workspace, manual.replace('## lid', '## cover'), { url })).toBe(id);
    expect(base.embedder.embedded.filter((text) => text.includes('cover'))).toHaveLength(1);
    // The passage and its sentence are embedded.
    expect(base.embedder.embedded).toHaveLength(2);
    expect((await base.documents.get(workspace, id)).chunkCount).toBe(4);
  });

  test('the previous revision answers until the new one is complete', async () => {
    const workspace = await base.workspace();
    await base.add(workspace, '## Price\n\nThe kettle costs ten pounds.', { url });
    const id = await base.store(workspace, '## Price\n\nThe kettle costs twelve pounds.', { url });
    const during: string[] = [];
    base.embedder.onPassage = async () => {
      during.push(...(await base.search(workspace, 'What does the kettle cost?')).map((chunk) => chunk.body));
    };
    await base.ingest(id);
    base.embedder.onPassage = () => {};
    expect(new Set(during)).toEqual(new Set(['The kettle costs ten pounds.']));
    const after = await base.search(workspace, 'What does the kettle cost?');
    expect(after.map((chunk) => chunk.body)).toEqual(['The kettle costs twelve pounds.']);
  });

  test('an interrupted attempt leaves no searchable chunks, and the next one completes it', async () => {
    const workspace = await base.workspace();
    const long = Array.from({ length: 40 }, (_, index) => section(`part ${index}`)).join('');
    const id = await base.store(workspace, long);
    base.embedder.onPassage = (text) => {
      if (text.includes('part 30')) throw new TypeError('the embedder died');
    };
    await expect(base.ingest(id)).rejects.toThrow('the embedder died');
    expect(await base.search(workspace, 'kettle part 3')).toEqual([]);
    base.embedder.onPassage = () => {};
    expect(await base.ingest(id)).toBe('indexed');
    const { rows } = await sql<{ chunks: number }>`
      select count(*)::int as chunks from chunk join document on document.number = document_number where document.id = ${id}
    `.execute(database.kysely);
    expect(rows).toEqual([{ chunks: 40 }]);
  });

  test('an upload during indexing supersedes the earlier one', async () => {
    const workspace = await base.workspace();
    const id = await base.store(workspace, '## Colour\n\nThe kettle is red.', { url });
    base.embedder.onPassage = async () => {
      base.embedder.onPassage = () => {};
      await base.store(workspace, '## Colour\n\nThe kettle is blue.', { url });
    };
    expect(await base.ingest(id)).toBe('superseded');
    expect(await base.ingest(id)).toBe('indexed');
    const found = await base.search(workspace, 'Which colour is the kettle?');
    expect(found.map((chunk) => chunk.body)).toEqual(['The kettle is blue.']);
  });

  test('an unreadable file fails with a reason, and the previous revision still answers', async () => {
    const workspace = await base.workspace();
    const id = await base.add(workspace, '## Colour\n\nThe kettle is red.', { url });
    const broken = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(500, 3)]);
    await base.documents.add({ workspaceId: workspace, bytes: broken, url, contentType: 'application/pdf' });
    expect(await base.ingest(id)).toBe('failed');
    const document = await base.documents.get(workspace, id);
    expect(document.status).toBe('failed');
    expect(document.failure?.reason).toMatch(/\w+ .+\./);
    expect((await base.search(workspace, 'Which colour?')).map((chunk) => chunk.body)).toEqual([
      'The kettle is red.',
    ]);
  });

  test('a document with a changed audience leaves its previous scope', async () => {
    const workspace = await base.workspace();
    await base.add(workspace, '## Colour\n\nThe kettle is red.', { url });
    await base.add(workspace, '## Colour\n\nThe kettle is red.', { url, audience: ['staff'] });
    expect(await base.search(workspace, 'Which colour?')).toEqual([]);
    expect(await base.search(workspace, 'Which colour?', { audience: ['staff'] })).toHaveLength(1);
  });
});
