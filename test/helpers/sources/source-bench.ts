import type { Selectable } from 'kysely';
import { createLog } from '../../../core/base/log.ts';
import { namedActor } from '../../../core/contract/actor.ts';
import { DocumentChanges } from '../../../core/knowledge/documents/document-changes.ts';
import { Documents } from '../../../core/knowledge/documents/documents.ts';
import { Metrics } from '../../../core/metrics/metrics.ts';
import type { JobQueue } from '../../../core/queue/queue.ts';
import { SecretBox } from '../../../core/secrets/secret-box.ts';
import { wakeRun } from '../../../core/sources/runs/run-queue.ts';
import { type RunDependencies, runSlice } from '../../../core/sources/runs/run-slice.ts';
import type { AnySourceKind } from '../../../core/sources/source-kinds.ts';
import { type NewSource, Sources } from '../../../core/sources/sources.ts';
import type { Database } from '../../../core/storage/database.ts';
import type { Tables } from '../../../core/storage/tables/tables.ts';
import { Workspaces } from '../../../core/workspaces/workspaces.ts';
import { lentThreads } from '../platforms/connector-tools.ts';
import { ScriptedSite, scriptedKind } from './scripted-source.ts';

interface Job {
  readonly runId: string;
  readonly slice: number;
  readonly delayMs: number;
}

const hourMs = 3_600_000;

/** Sources on one database, with a clock that the test sets and a queue in memory. */
export class SourceBench {
  readonly database: Database;
  readonly sites = new Map([['main', new ScriptedSite()]]);
  readonly jobs: Job[] = [];
  readonly logged: string[] = [];
  readonly sources: Sources;
  readonly documents: Documents;
  readonly changes: DocumentChanges;
  readonly dependencies: RunDependencies;
  now = new Date('2026-03-01T08:00:00Z');

  /** `kinds` are added to the scripted one. */
  constructor(database: Database, kinds: readonly AnySourceKind[] = []) {
    this.database = database;
    const clock = { now: () => this.now };
    const secretBox = new SecretBox(Buffer.alloc(32, 1));
    const stored = { database: database.kysely, clock, wake: async () => {} };
    const log = createLog('debug', { write: (line) => void this.logged.push(line) });
    this.documents = new Documents(stored);
    this.changes = new DocumentChanges(stored);
    this.sources = new Sources({
      ...{ database: database.kysely, clock, log, queue: this.queue, secretBox },
      threads: lentThreads,
      config: { ALLOW_PRIVATE_WEBHOOKS: false, SOURCE_FOLDERS: [], SOURCE_LOADERS: [] },
      kinds: [scriptedKind(this.sites, 'right-token'), ...kinds],
    });
    this.dependencies = {
      ...this.sources.tools,
      ...{ database: database.kysely, documents: this.documents, log, metrics: new Metrics(), secretBox },
      kinds: this.sources.kinds,
      wake: (run, options) => wakeRun({ queue: this.queue, log }, run, options),
    };
  }

  get site(): ScriptedSite {
    const site = this.sites.get('main');
    if (site === undefined) throw new TypeError('the site is missing');
    return site;
  }

  get queue(): Pick<JobQueue, 'add'> {
    return {
      add: async (_name, _id, payload, options = {}) => {
        if (!('runId' in payload)) throw new TypeError('an unexpected job');
        this.jobs.push({ ...payload, delayMs: options.delayMs ?? 0 });
      },
    };
  }

  async workspace(): Promise<string> {
    const { clock, secretBox } = this.dependencies;
    const workspaces = new Workspaces({ database: this.database.kysely, secretBox, clock });
    return (await workspaces.create({ name: 'Test' })).workspace.id;
  }

  /** Adds a source that starts no run. */
  async create(workspaceId: string, options: Partial<NewSource> = {}): Promise<string> {
    const source = await this.sources.create(
      workspaceId,
      {
        ...{ name: 'Help', kind: 'scripted', settings: {}, credentials: { token: 'right-token' } },
        ...{ audience: [], include: [], exclude: [], maxItems: 100, scheduleMinutes: null, run: false },
        ...options,
      },
      namedActor('Ann'),
    );
    return source.id;
  }

  /** Works on everything that is queued; waits are over at once. */
  async work(dependencies: Partial<RunDependencies> = {}): Promise<void> {
    const stopping = new AbortController();
    for (let job = this.jobs.shift(); job !== undefined; job = this.jobs.shift()) {
      this.now = new Date(this.now.getTime() + job.delayMs + 1);
      await runSlice({ ...this.dependencies, ...dependencies }, job, stopping.signal);
    }
  }

  /** Runs a source to its end. Returns the run. */
  async run(
    workspaceId: string,
    id: string,
    { isFull = false, ...dependencies }: Partial<RunDependencies> & { readonly isFull?: boolean } = {},
  ) {
    this.now = new Date(this.now.getTime() + hourMs);
    this.site.reads.length = 0;
    await this.sources.run({ workspaceId, id, actor: namedActor('Ann') }, { isFull });
    await this.work(dependencies);
    return this.lastRun(workspaceId, id);
  }

  async lastRun(workspaceId: string, id: string) {
    const { lastRun } = await this.sources.get(workspaceId, id);
    if (lastRun === null) throw new TypeError('there is no run');
    return lastRun;
  }

  /** The counts of a run that are not 0. */
  async counts(workspaceId: string, id: string): Promise<Readonly<Record<string, number>>> {
    const { counts } = await this.lastRun(workspaceId, id);
    return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  }

  /** The titles of the documents of a workspace, with their wanted revisions. */
  async titles(workspaceId: string): Promise<readonly string[]> {
    const { items } = await this.documents.list(workspaceId, { limit: 100 });
    return items
      .map(({ title, wantedRevision }) => `${title.replace('Title of ', '')} ${wantedRevision}`)
      .sort();
  }

  /** Publishes everything that waits for the index, as a worker does. */
  async index(workspaceId: string): Promise<void> {
    await this.database.kysely
      .updateTable('document')
      .set(({ ref }) => ({ status: 'indexed', revision: ref('wanted_revision') }))
      .where('workspace_id', '=', workspaceId)
      .where('status', '=', 'queued')
      .execute();
  }

  items(sourceId: string): Promise<Selectable<Tables['source_item']>[]> {
    return this.database.kysely
      .selectFrom('source_item')
      .selectAll()
      .where('source_id', '=', sourceId)
      .orderBy('key')
      .execute();
  }

  /** Each item with its state and code. */
  async states(sourceId: string): Promise<readonly string[]> {
    const items = await this.items(sourceId);
    return items.map(({ key, state, code }) => [key, state, code].filter((part) => part !== null).join(' '));
  }
}
