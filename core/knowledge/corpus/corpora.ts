import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../log.ts';
import { MicroBatcher } from '../../storage/micro-batcher.ts';
import { prepareStatement } from '../../storage/prepared-statements.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { Corpus } from './corpus.ts';
import { loadCorpus } from './load-corpus.ts';

/** Reading takes time, which searches in memory win back. */
interface LoadingCost {
  /** It is looked into after so many questions at one version. */
  readonly questions: number;
  /** As many are read for each of them. */
  readonly chunksForEach: number;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Logger;
  /** What all together may take of memory; with 0 nothing is kept. */
  readonly bytes: number;
  /** From how many questions on it is loaded. */
  readonly worth?: LoadingCost;
}

interface CorpusEntry {
  readonly version: string;
  readonly questions: number;
  readonly corpus: Corpus | null;
}

/** More than that would take this process's thread longer to compare than the database does. */
const MAX_CHUNKS = 5_000;
/** With all that belongs to it. */
const bytesOfChunk = 8_000;
const usuallyWorth: LoadingCost = { questions: 20, chunksForEach: 10 };
const workspacesKnown = 10_000;
/** Who asks nothing for so long makes room. */
const IDLE_TIMEOUT_MS = 10 * 60_000;

/**
 * Keeps the documents of small workspaces that are asked much in memory, where a search takes a fraction of what it
 * takes in the database. Each search makes sure that what is kept is what the database holds.
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
      ...{ max: workspacesKnown, maxSize: Math.max(1, dependencies.bytes) },
      sizeCalculation: ({ corpus }) => corpus?.bytes ?? 1,
      ...{ ttl: IDLE_TIMEOUT_MS, ttlResolution: 0, updateAgeOnGet: true },
      perf: { now: () => dependencies.clock.now().getTime() },
    });
  }

  /** As the database holds it now; null where it is not kept, and has to be searched there. */
  async current(workspaceId: string): Promise<Corpus | null> {
    const { bytes, worth = usuallyWorth } = this.#dependencies;
    if (bytes === 0) return null;
    const version = await this.#versions.of(workspaceId);
    if (version === null) return null;
    const known = this.#known.get(workspaceId);
    if (known?.version === version && known.corpus !== null) return known.corpus;
    const questions = known?.version === version ? known.questions + 1 : 1;
    this.#known.set(workspaceId, { version, questions, corpus: null });
    if (questions % worth.questions === 0) {
      this.#loading ??= this.#load(workspaceId, version, questions * worth.chunksForEach);
    }
    return null;
  }

  /** About what all that is kept takes of memory. */
  get bytesKept(): number {
    this.#known.purgeStale();
    return this.#known.calculatedSize;
  }

  /** Waits until nothing is being loaded. */
  async idle(): Promise<void> {
    await this.#loading;
  }

  /** One at a time, in what room there is: who asks more does not push out who asks as much. */
  async #load(workspaceId: string, version: string, worthwhile: number): Promise<void> {
    const { database, log, bytes } = this.#dependencies;
    try {
      const room = Math.floor((bytes - this.bytesKept) / bytesOfChunk);
      const corpus = await loadCorpus(database, workspaceId, Math.min(MAX_CHUNKS, room, worthwhile));
      // What was read page by page is of one version when that is the same before and after.
      if (corpus === null || (await this.#versions.of(workspaceId)) !== version) return;
      this.#known.set(workspaceId, { version, questions: 0, corpus });
      log.debug({ workspace: workspaceId, bytes: corpus.bytes }, 'documents are kept in memory');
    } catch (err) {
      log.warn({ err, workspace: workspaceId }, 'documents could not be read into memory');
    } finally {
      this.#loading = null;
    }
  }
}

interface VersionRow {
  readonly workspace_id: string;
  readonly version: string;
}

const findVersions = prepareStatement<VersionRow>(
  'select workspace_id, version from corpus where workspace_id = any($1)',
);

/** Tells which state of its documents a workspace answers from now; who asks together is told together. */
class CorpusVersions {
  readonly #asked: MicroBatcher<'versions', string, string | null>;

  constructor(database: Kysely<Tables>) {
    this.#asked = new MicroBatcher({
      nameOf: (name) => name,
      run: async (_, workspaceIds) => {
        const rows = await findVersions(database, [workspaceIds]);
        const versions = new Map(rows.map((row) => [row.workspace_id, row.version]));
        return (workspaceId) => versions.get(workspaceId) ?? null;
      },
    });
  }

  /** Null where nothing was ever indexed. */
  of(workspaceId: string): Promise<string | null> {
    return this.#asked.add('versions', workspaceId);
  }
}
