import { systemClock } from '../../../core/base/clock.ts';
import { createLog } from '../../../core/base/log.ts';
import { readConfig } from '../../../core/config/config.ts';
import { Corpora } from '../../../core/knowledge/corpus/corpora.ts';
import type { Embedder } from '../../../core/knowledge/embedding/embedder.ts';
import { searchKnowledge } from '../../../core/knowledge/search.ts';
import { openDatabase } from '../../../core/storage/database.ts';
import { BenchError } from '../bench-error.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { fillDatabase, largeWorkspace, smallWorkspace } from '../fill/fill-database.ts';
import type { Contender, Searcher } from './contender.ts';

export const parley: Contender = {
  build: fillDatabase,
  open: (folder, corpus) => openWorkspaces(folder, corpus, [largeWorkspace]),
};

/** Searches small workspaces in the folder that `parley` built. */
export const parleySmallWorkspace: Contender = {
  open: (folder, corpus, { smallWorkspaces }) =>
    openWorkspaces(
      folder,
      corpus,
      Array.from({ length: smallWorkspaces }, (_, index) => smallWorkspace(index)),
    ),
};

/** Questions go to the workspaces in turn. */
async function openWorkspaces(folder: string, corpus: Corpus, names: readonly string[]): Promise<Searcher> {
  const [config, log] = [readConfig({ DATA_DIR: folder }), createLog('warn')];
  const database = await openDatabase(config, log);
  const rows = await database.kysely
    .selectFrom('workspace')
    .select('id')
    .where('name', 'in', [...names])
    .execute();
  const stores = { database: database.kysely, clock: systemClock };
  const corpora = new Corpora({ ...stores, log, bytes: config.SEARCH_MEMORY_MB * 2 ** 20 });
  const dependencies = { ...stores, embedder: knownVectors(corpus), corpora };
  let turn = 0;
  return {
    async search({ text }) {
      const workspaceId = rows[turn++ % rows.length]?.id ?? '';
      const found = await searchKnowledge(dependencies, {
        workspaceId,
        question: text,
        audience: [],
        documentIds: null,
      });
      return found.ranked.length;
    },
    async close() {
      await corpora.idle();
      await database.close();
    },
  };
}

/** An embedder that knows the vectors of the questions, so that only the search is measured. */
function knownVectors({ questions }: Corpus): Embedder {
  const vectors = new Map(questions.map(({ text, vector }) => [text, vector]));
  return {
    model: 'known',
    dimensions: 384,
    engine: 'remote',
    async embedQuery(text) {
      const vector = vectors.get(text);
      if (vector === undefined) throw new BenchError(`not a question of the corpus: ${text}`);
      return vector;
    },
    async embedPassages() {
      throw new BenchError('only questions have known vectors');
    },
    async check() {},
    async close() {},
  };
}
