import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { MicroBatcher } from '../../storage/micro-batcher.ts';
import { prepareStatement } from '../../storage/prepared-statements.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { Corpus } from './corpus.ts';
import { loadCorpus } from './load-corpus.ts';

/** Loading a corpus takes time that later searches in memory have to win back. */
interface LoadingCost {
  /** Loading is considered each time this many questions were asked at one version. */
  readonly questions: number;
  /** Chunks that may be loaded per question asked. */
  readonly chunksPerQuestion: number;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Memory limit of all corpora together; 0 disables them. */
  readonly bytes: number;
  /** When loading a workspace pays off. */
  readonly worth?: LoadingCost;
}

interface CorpusEntry {
  readonly version: string;
  readonly questions: number;
  readonly corpus: Corpus | null;
}

/** Above this, comparing all vectors on this thread takes longer than the search in the database. */
const MAX_CHUNKS = 5_000;
/** Estimate with vectors, postings and text. */
const BYTES_PER_CHUNK = 10_000;
const DEFAULT_LOADING_COST: LoadingCost = { questions: 20, chunksPerQuestion: 10 };
const MAX_WORKSPACES = 10_000;
/** A workspace without questions for this long is evicted. */
const IDLE_TIMEOUT_MS = 10 * 60_000;

/**
 * Caches the indexed documents of small, frequently asked workspaces in memory, where a search takes a fraction of its
 * time in the database. Every search compares the cached version with the database's.
 */
export class Corpora {
  readonly #dependencies: Dependencies;
  readonly #versions: CorpusVersions;
  readonly #known: LRUCache<string, CorpusEntry>;
  #loading: Promise<void> | null = null;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#versions = new CorpusVersions(dependencies.database);
    this.#known = new LRUCache({
      ...{ max: MAX_WORKSPACES, maxSize: Math.max(1, dependencies.bytes) },
      sizeCalculation: ({ corpus }) => corpus?.bytes ?? 1,
      ...{ ttl: IDLE_TIMEOUT_MS, ttlResolution: 0, updateAgeOnGet: true },
      perf: { now: () => dependencies.clock.now().getTime() },
    });
  }

  /** Returns the workspace's current corpus, or null if it is not loaded and the database has to be searched. */
  async current(workspaceId: string): Promise<Corpus | null> {
    const { bytes, worth = DEFAULT_LOADING_COST } = this.#dependencies;
    if (bytes === 0) return null;
    const found = await this.#versions.find(workspaceId);
    if (found === null) return null;
    const { version } = found;
    const entry = this.#known.get(workspaceId);
    if (entry?.version === version && entry.corpus !== null) return entry.corpus;
    const questions = entry?.version === version ? entry.questions + 1 : 1;
    this.#known.set(workspaceId, { version, questions, corpus: null });
    if (questions % worth.questions === 0) {
      this.#loading ??= this.#load(workspaceId, found, questions * worth.chunksPerQuestion);
    }
    return null;
  }

  /** Returns the workspace's corpus as it was at the last search; null if it is not loaded. */
  loaded(workspaceId: string): Corpus | null {
    return this.#known.peek(workspaceId)?.corpus ?? null;
  }

  /** Returns the number of the embedding model that serves a workspace; null if it never indexed a document. */
  async findModel(workspaceId: string): Promise<number | null> {
    return (await this.#versions.find(workspaceId))?.modelId ?? null;
  }

  /** Estimated memory of all cached corpora, in bytes. */
  get bytesKept(): number {
    this.#known.purgeStale();
    return this.#known.calculatedSize;
  }

  /** Resolves once no corpus is loading. */
  async idle(): Promise<void> {
    await this.#loading;
  }

  /** Loads one corpus at a time and only into free memory, so that busy workspaces do not evict each other in turns. */
  async #load(workspaceId: string, { version, modelId }: CorpusVersion, chunkLimit: number): Promise<void> {
    const { database, log, bytes } = this.#dependencies;
    try {
      const room = Math.floor((bytes - this.bytesKept) / BYTES_PER_CHUNK);
      const wanted = { workspaceId, modelId };
      const corpus = await loadCorpus(database, wanted, Math.min(MAX_CHUNKS, room, chunkLimit));
      // Pages are read in separate statements: they are consistent only if the version did not change meanwhile.
      if (corpus === null || (await this.#versions.find(workspaceId))?.version !== version) return;
      this.#known.set(workspaceId, { version, questions: 0, corpus });
      log.debug({ workspace: workspaceId, bytes: corpus.bytes }, 'corpus loaded into memory');
    } catch (err) {
      log.warn({ err, workspace: workspaceId }, 'corpus loading failed');
    } finally {
      this.#loading = null;
    }
  }
}

interface CorpusVersion {
  /** Changes with the model too. */
  readonly version: string;
  readonly modelId: number;
}

interface VersionRow {
  readonly workspace_id: string;
  readonly version: string;
  readonly model_id: number;
}

const findVersions = prepareStatement<VersionRow>(
  'select workspace_id, version, model_id from corpus where workspace_id = any($1)',
);

/** Reads the version of a workspace's indexed documents; concurrent reads share one statement. */
class CorpusVersions {
  readonly #batcher: MicroBatcher<'versions', string, CorpusVersion | null>;

  constructor(database: Kysely<Tables>) {
    this.#batcher = new MicroBatcher({
      nameOf: (name) => name,
      run: async (_, workspaceIds) => {
        const rows = await findVersions(database, [workspaceIds]);
        const versions = new Map(
          rows.map((row) => [row.workspace_id, { version: row.version, modelId: row.model_id }]),
        );
        return (workspaceId) => versions.get(workspaceId) ?? null;
      },
    });
  }

  /** Returns null if the workspace never indexed a document. */
  find(workspaceId: string): Promise<CorpusVersion | null> {
    return this.#batcher.add('versions', workspaceId);
  }
}
