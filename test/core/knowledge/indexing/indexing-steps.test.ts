import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../../core/base/clock.ts';
import { releaseDocuments } from '../../../../core/knowledge/indexing/held-document.ts';
import { ingestDocument } from '../../../../core/knowledge/indexing/ingest-document.ts';
import type { Tables } from '../../../../core/storage/tables/tables.ts';
import { wordEmbedder } from '../../../helpers/models/embedding/word-embedder.ts';
import { plainReader } from '../../../helpers/models/plain-reader.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../../helpers/stores/knowledge/knowledge-base.ts';

const pageOf = (version: number, parts: number) =>
  Array.from(
    { length: parts },
    (_, part) => `## Part ${part}\n\nThe kettle of version ${version} has part ${part} below its lid.\n\n`,
  ).join('');

/** A process that dies before a step: from then on none of its statements reaches the database. */
class Mortal {
  readonly database: Kysely<Tables>;
  steps = 0;
  readonly #diesBefore: number;

  constructor(database: Kysely<Tables>, diesBefore: number) {
    this.#diesBefore = diesBefore;
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => {
        this.step();
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    this.database = database.withPlugin(plugin);
  }

  step(): void {
    this.steps += 1;
    if (this.steps >= this.#diesBefore) throw new TypeError('the process is dead');
  }
}

/** Every step on the engine that costs less, and a sample on the other. */
const stepsApart = { embedded: 1, postgres: 4 };

describe.each(testEngines)('a process that dies while it indexes, on %s', async (engine) => {
  const apart = stepsApart[engine];
  const database = await openTestDatabase(engine);
  const { kysely } = database;
  const base = new KnowledgeBase(database);

  /** Returns what the index holds of a document. */
  const contents = async (id: string) => {
    const { rows } = await sql<object>`
      select chunk.revision, ordinal, chunk.title, headings, body, text_hash, vector.embedding::text as vector,
             encode(sentence_vector.vectors, 'hex') as sentences,
             (select json_agg((term, term_frequency, chunk_length) order by term) from posting
              where posting.chunk_id = chunk.id and posting.scope_id = chunk.scope_id) as postings
      from chunk join document on document.number = document_number
      left join chunk_vector vector on vector.chunk_id = chunk.id
      left join sentence_vector on sentence_vector.chunk_id = chunk.id
      where document.id = ${id} order by chunk.revision, ordinal
    `.execute(kysely);
    return rows;
  };
  const leftovers = async () => {
    const { rows } = await sql<object>`
      select (select count(*)::int from indexing_lease) as leases,
             (select count(*)::int from indexing_passage) as passages,
             (select count(*)::int from document_upload) as uploads,
             (select count(*)::int from term_count counted where chunk_count <> (
                select count(*) from posting where posting.scope_id = counted.scope_id and posting.term = counted.term
              )) as "wrongCounts",
             (select count(*)::int from posting where not exists (
                select from chunk where chunk.id = posting.chunk_id)) as "strayPostings"
    `.execute(kysely);
    return rows[0];
  };
  const prepare = async () => {
    const workspace = await base.workspace();
    const options = { url: 'https://help.example/kettle', title: 'Kettle' };
    const id = await base.add(workspace, pageOf(1, 3), options);
    await base.store(workspace, pageOf(2, 20), options);
    return { workspace, id };
  };

  test('leaves it so that the next one ends with the passages of a clean run, whatever the step', async () => {
    const { id: clean } = await prepare();
    expect(await base.ingest(clean)).toBe('indexed');
    const wanted = await contents(clean);
    expect(wanted).toHaveLength(20);
    let isDead = true;
    let died = 0;
    for (let diesBefore = 1; isDead; diesBefore += apart) {
      const { workspace, id } = await prepare();
      const process = new Mortal(kysely, diesBefore);
      const embedder = wordEmbedder();
      embedder.onPassage = () => process.step();
      const reader = {
        async read(...request: Parameters<typeof plainReader.read>) {
          const read = await plainReader.read(...request);
          process.step();
          return read;
        },
      };
      const dependencies = { database: process.database, embedder, reader, clock: systemClock };
      isDead = await ingestDocument(dependencies, id).then(
        () => false,
        () => true,
      );
      const found = await base.search(workspace, 'Which version of the kettle has part 2?');
      expect(new Set(found.map(({ body }) => /version \d/.exec(body)?.[0])).size).toBe(1);
      if (isDead) died += 1;
      await releaseDocuments(kysely);
      await base.ingest(id);
      expect(await contents(id), `step ${diesBefore}`).toEqual(wanted);
      expect(await base.documents.get(workspace, id)).toMatchObject({ status: 'indexed', chunkCount: 20 });
      expect(await leftovers(), `step ${diesBefore}`).toEqual({
        ...{ leases: 0, passages: 0, uploads: 0, wrongCounts: 0, strayPostings: 0 },
      });
    }
    expect(died * apart).toBeGreaterThan(60);
  }, 180_000);
});
