import type { Contender } from './contender.ts';
import { passagesWanted } from './contender.ts';
import { importPeer } from './import-peer.ts';

interface Query {
  nearestTo(vector: Float32Array): Query;
  fullTextSearch(text: string, options: { columns: string[] }): Query;
  rerank(reranker: object): Query;
  limit(rows: number): Query;
  toArray(): Promise<{ body: string }[]>;
}

interface Table {
  add(rows: object[]): Promise<unknown>;
  createIndex(column: string, options?: { config: object }): Promise<void>;
  optimize(): Promise<unknown>;
  query(): Query;
  close(): void;
}

interface Peer {
  connect(folder: string): Promise<{
    createTable(name: string, rows: object[]): Promise<Table>;
    openTable(name: string): Promise<Table>;
  }>;
  readonly Index: { fts(): object };
  readonly rerankers: { readonly RRFReranker: { create(): Promise<object> } };
}

const batch = 2_000;

/**
 * LanceDB with its own defaults: IVF-PQ beside BM25, fused by rank. All passages are in one table, without a filter
 * by workspace.
 */
export const lanceDb: Contender = {
  async build(folder, corpus, { chunks }) {
    const connection = await (await importPeer('@lancedb/lancedb', isUsable)).connect(folder);
    const rows = (start: number) =>
      Array.from({ length: Math.min(batch, chunks - start) }, (_, offset) => {
        const { title, body } = corpus.chunk(start + offset);
        return {
          id: start + offset,
          title,
          body,
          words: `${title}\n${body}`,
          vector: [...corpus.vector(start + offset)],
        };
      });
    const table = await connection.createTable('chunks', rows(0));
    for (let start = batch; start < chunks; start += batch) await table.add(rows(start));
    const { Index } = await importPeer('@lancedb/lancedb', isUsable);
    await table.createIndex('words', { config: Index.fts() });
    await table.createIndex('vector');
    await table.optimize();
    table.close();
  },
  async open(folder) {
    const { connect, rerankers } = await importPeer('@lancedb/lancedb', isUsable);
    const table = await (await connect(folder)).openTable('chunks');
    const reranker = await rerankers.RRFReranker.create();
    return {
      async search({ text, vector }) {
        const query = table
          .query()
          .nearestTo(vector)
          .fullTextSearch(text, { columns: ['words'] });
        const found = await query.rerank(reranker).limit(passagesWanted).toArray();
        return found.map(({ body }) => body).length;
      },
      async close() {
        table.close();
      },
    };
  },
};

function isUsable(module: unknown): module is Peer {
  return (
    typeof module === 'object' &&
    module !== null &&
    'connect' in module &&
    'Index' in module &&
    'rerankers' in module
  );
}
