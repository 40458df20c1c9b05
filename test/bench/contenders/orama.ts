import { type Contender, passagesWanted } from './contender.ts';
import { importPeer } from './import-peer.ts';

interface HybridSearch {
  readonly mode: 'hybrid';
  readonly term: string;
  readonly properties: readonly string[];
  readonly vector: { readonly value: number[]; readonly property: string };
  readonly limit: number;
}

interface Peer {
  create(options: { schema: Record<string, string> }): object;
  insertMultiple(database: object, documents: object[], batchSize: number): Promise<unknown>;
  search(database: object, search: HybridSearch): Promise<{ readonly hits: readonly object[] }>;
}

const batch = 1_000;

/** Orama with its own defaults, in the memory of the process. */
export const orama: Contender = {
  async open(_folder, corpus, { chunks }) {
    const { create, insertMultiple, search } = await importPeer('@orama/orama', isUsable);
    const database = create({ schema: { title: 'string', body: 'string', vector: 'vector[384]' } });
    for (let start = 0; start < chunks; start += batch) {
      const documents = Array.from({ length: Math.min(batch, chunks - start) }, (_, offset) => {
        const { title, body } = corpus.chunk(start + offset);
        return { id: String(start + offset), title, body, vector: [...corpus.vector(start + offset)] };
      });
      await insertMultiple(database, documents, batch);
    }
    return {
      async search({ text, vector }) {
        const found = await search(database, {
          mode: 'hybrid',
          term: text,
          properties: ['title', 'body'],
          vector: { value: [...vector], property: 'vector' },
          limit: passagesWanted,
        });
        return found.hits.length;
      },
      async close() {},
    };
  },
};

function isUsable(module: unknown): module is Peer {
  return typeof module === 'object' && module !== null && 'insertMultiple' in module && 'search' in module;
}
