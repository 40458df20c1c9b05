import { Corpora } from '../knowledge/corpus/corpora.ts';
import { CuratedAnswers } from '../knowledge/curated/curated-answers.ts';
import { DocumentChanges } from '../knowledge/documents/document-changes.ts';
import { Documents } from '../knowledge/documents/documents.ts';
import type { Embedder } from '../knowledge/embedding/embedder.ts';
import { EmbeddingModels } from '../knowledge/embedding/embedding-models.ts';
import { BUILT_IN_MODEL, type openEmbedder, openNamedModel } from '../knowledge/embedding/open-embedder.ts';
import { FactConflicts } from '../knowledge/facts/fact-conflicts.ts';
import { createDocumentWaker } from '../knowledge/indexing/ingest-jobs.ts';
import { openPassageReader, type PassageReader } from '../knowledge/passage-reader/passage-reader.ts';
import { Reranker } from '../knowledge/ranking/reranker.ts';
import { DocumentReader } from '../knowledge/read/document-reader.ts';
import { openTextRecogniser } from '../knowledge/read/text-recogniser.ts';
import { withEmbedderMetrics } from '../metrics/metrics.ts';
import { findRerankModel } from '../models/provider-settings.ts';
import { SourceHooks } from '../sources/hooks/source-hooks.ts';
import { SourceNotices } from '../sources/notices/source-notices.ts';
import { Sources } from '../sources/sources.ts';
import type { ScheduleDeliveries } from '../webhooks/event-transaction.ts';
import { type StorageServices, sealedStores } from './open-storage.ts';
import type { Opening } from './opening.ts';

/** Documents, their sources, and how they are read, indexed and searched. */
export interface KnowledgeServices {
  readonly documents: Documents;
  readonly documentChanges: DocumentChanges;
  readonly curatedAnswers: CuratedAnswers;
  readonly factConflicts: FactConflicts;
  readonly sources: Sources;
  /** Takes items that people and webhooks of tools name as changed. */
  readonly sourceNotices: SourceNotices;
  readonly sourceHooks: SourceHooks;
  readonly corpora: Corpora;
  readonly embedder: Embedder;
  readonly reranker: Reranker | null;
  readonly passageReader: PassageReader | null;
  readonly reader: DocumentReader;
}

interface KnowledgeParts {
  readonly scheduleDeliveries: ScheduleDeliveries;
  /** The model that is loaded already. */
  readonly loaded: Embedder;
  /** Opens models of other names, in which a part of the documents may still be embedded. */
  readonly open: typeof openEmbedder;
}

export async function openKnowledge(
  opening: Opening,
  storage: StorageServices,
  { scheduleDeliveries, loaded, open }: KnowledgeParts,
): Promise<KnowledgeServices> {
  const { config, log, metrics, count, threads, onClose } = opening;
  const sealed = sealedStores(opening, storage);
  const { database, clock } = sealed;
  const { queue } = storage;
  const embedder = await EmbeddingModels.open({
    ...{ database, log, builtInName: BUILT_IN_MODEL },
    main: withEmbedderMetrics(loaded, metrics),
    open: openNamedModel({ config, log, count, open }),
  });
  onClose(() => embedder.close());
  const reader = new DocumentReader({ recogniser: await openTextRecogniser(config) });
  onClose(() => reader.close());
  const corpora = new Corpora({ database, clock, log, bytes: config.SEARCH_MEMORY_MB * 2 ** 20 });
  onClose(() => corpora.idle());
  const changing = { database, clock, scheduleDeliveries, wake: createDocumentWaker({ queue, log }) };
  const sourceNotices = new SourceNotices({ database, clock, log, queue });
  return {
    documents: new Documents(changing),
    documentChanges: new DocumentChanges(changing),
    curatedAnswers: new CuratedAnswers(changing),
    factConflicts: new FactConflicts({ database, clock }),
    sources: new Sources({ ...sealed, config, log, queue, threads }),
    sourceNotices,
    sourceHooks: new SourceHooks({ ...sealed, log, queue, notices: sourceNotices }),
    ...{ corpora, embedder, reader },
    reranker: openReranker(opening),
    passageReader: openReader(opening, loaded),
  };
}

function openReranker({ config, log, clock, metrics, count }: Opening): Reranker | null {
  const model = findRerankModel(config);
  if (model === null) return null;
  const measure = metrics.rerankings();
  return new Reranker({ ...model, log, clock, count, timeoutMs: config.RERANK_TIMEOUT_MS, measure });
}

function openReader({ config, clock, wait, log }: Opening, { pairs }: Embedder): PassageReader | null {
  // It closes with the embedder, in whose threads it reads.
  return config.READER === 'on' && pairs !== undefined
    ? openPassageReader({ pairs, clock, wait, log })
    : null;
}
