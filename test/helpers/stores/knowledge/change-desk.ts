import { NO_MODEL, type Rehearsal, rehearse } from '../../../../core/answering/rehearsal.ts';
import { HttpSkills } from '../../../../core/answering/skills/http/http-skills.ts';
import { systemClock } from '../../../../core/base/clock.ts';
import { createLog } from '../../../../core/base/log.ts';
import type { Change } from '../../../../core/changes/change-item.ts';
import { type ChangeDependencies, type ChangeSet, loadItems } from '../../../../core/changes/change-set.ts';
import { ChangeSets } from '../../../../core/changes/change-sets.ts';
import { openTrial, type Trial } from '../../../../core/changes/open-trial.ts';
import { PublishedSets } from '../../../../core/changes/published-sets.ts';
import { operatorActor } from '../../../../core/contract/actor.ts';
import type { DocumentRecord } from '../../../../core/knowledge/documents/document.ts';
import { SecretBox } from '../../../../core/secrets/secret-box.ts';
import type { Database } from '../../../../core/storage/database.ts';
import { testStores } from '../test-stores.ts';
import { KnowledgeBase } from './knowledge-base.ts';

/** Documents, change sets and questions on one database, without a queue: `index` does the work of the worker. */
export class ChangeDesk {
  readonly base: KnowledgeBase;
  readonly sets: ChangeSets;
  readonly published: PublishedSets;
  readonly stores: ChangeDependencies;
  readonly #database: Database;
  readonly #woken: DocumentRecord[] = [];

  constructor(database: Database) {
    this.#database = database;
    this.base = new KnowledgeBase(database);
    const { workspaces } = testStores(database, systemClock);
    this.stores = {
      ...{ database: database.kysely, clock: systemClock, workspaces },
      documents: this.base.documents,
      documentChanges: this.base.changes,
      httpSkills: new HttpSkills({
        ...{ database: database.kysely, clock: systemClock, allowPrivate: false },
        ...{ secretBox: new SecretBox(Buffer.alloc(32)), log: createLog('silent') },
      }),
      wake: async (document) => {
        this.#woken.push(document);
      },
    };
    this.sets = new ChangeSets(this.stores);
    this.published = new PublishedSets(this.stores);
  }

  /** Does the work of the ingest worker. */
  async index(): Promise<void> {
    for (const { id } of this.#woken.splice(0)) await this.base.ingest(id);
  }

  /** A set with changes whose documents are indexed. */
  async stage(workspaceId: string, changes: readonly Change[]): Promise<ChangeSet> {
    const { id } = await this.sets.create(workspaceId, { name: 'Saturday repairs', actor: operatorActor });
    for (const change of changes) await this.sets.put({ workspaceId, id, actor: operatorActor }, change);
    await this.index();
    return this.sets.get(workspaceId, id);
  }

  items(set: ChangeSet) {
    return loadItems(this.#database.kysely, set);
  }

  async publish({ workspaceId, id }: ChangeSet): Promise<ChangeSet> {
    const set = await this.published.publish({ workspaceId, id, actor: operatorActor });
    await this.index();
    return set;
  }

  async undo({ workspaceId, id }: ChangeSet): Promise<ChangeSet> {
    const set = await this.published.undo({ workspaceId, id, actor: operatorActor });
    await this.index();
    return set;
  }

  async openTrial(set: ChangeSet): Promise<Trial> {
    const workspace = await this.stores.workspaces.get(set.workspaceId);
    return openTrial({ database: this.#database.kysely, corpora: this.base.corpora }, { workspace, set });
  }

  /** Asks a question in a trial, or else as a visitor does: the database is searched. */
  async ask(workspaceId: string, text: string, trial: Trial | null = null): Promise<Rehearsal> {
    const workspace = trial?.workspace ?? (await this.stores.workspaces.get(workspaceId));
    const models = { reranker: null, passageReader: null, writer: null, complete: null };
    return rehearse(
      {
        ...{ clock: systemClock, database: this.#database, embedder: this.base.embedder, ...models },
        corpora: trial?.corpora ?? this.base.corpora,
      },
      {
        ...{ workspace, text, earlierTurns: [], summary: null, audience: [], channel: 'api' },
        ...{ conversationId: null, language: 'en', model: NO_MODEL, strictness: 'strict' },
        signal: new AbortController().signal,
      },
    );
  }
}
