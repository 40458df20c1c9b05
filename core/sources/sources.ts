import type { Kysely, Selectable, Transaction } from 'kysely';
import { auditWorkspace } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { type Fields, requireCredentialsForAddress } from '../base/fields.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { Page, PageRequest } from '../base/pagination.ts';
import type { Config } from '../config/config.ts';
import type { Actor } from '../contract/actor.ts';
import { deleteDocuments, keepDocuments } from '../knowledge/documents/source-documents.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { keysetPage } from '../storage/keyset-page.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { findOwnerFolders } from './folder/folder.ts';
import { applyHold, discardHold } from './holds/decide-hold.ts';
import { dropUnusedTrees } from './ledger/page-trees.ts';
import { warnOfMissing } from './loaders/loader-kind.ts';
import { cancelRun, insertRun, nextRunAt, type RunRow, wakeRun } from './runs/run-queue.ts';
import { forgetReadings } from './source-documents.ts';
import { type AnySourceKind, requireKind, sourceKinds } from './source-kinds.ts';
import { type SourceRecord, toSourceRecord } from './source-record.ts';
import { lockSource, requireRoom, requireSource } from './source-rows.ts';
import type { ToolParts } from './source-tools.ts';
import { changedFields, openCredentials, parseValues, sealCredentials } from './source-values.ts';
import { type SourceView, viewSources } from './source-view.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly queue: Pick<JobQueue, 'add'>;
  readonly secretBox: SecretBox;
  readonly threads: ToolParts['threads'];
  readonly config: Pick<
    Config,
    'ALLOW_PRIVATE_WEBHOOKS' | 'SOURCE_FOLDERS' | 'SOURCE_LOADERS' | 'RENDERER_URL'
  >;
  /** Those of the installation if absent. */
  readonly kinds?: readonly AnySourceKind[];
}

/** A source of a workspace, and the actor who changes it. */
export interface SourceTarget {
  readonly workspaceId: string;
  readonly id: string;
  readonly actor: Actor;
}

export interface SourceFields {
  readonly name: string;
  readonly settings: Fields;
  readonly audience: readonly string[];
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly maxItems: number;
  /** Null: a run is started by hand only. */
  readonly scheduleMinutes: number | null;
}

export interface NewSource extends SourceFields {
  readonly kind: string;
  readonly credentials: Fields;
  /** Whether the first run starts at once. */
  readonly run: boolean;
}

type PartialFields = { readonly [Field in keyof SourceFields]?: SourceFields[Field] | undefined };

/** Absent fields stay. Credentials and settings are replaced as a whole; credentials of null are removed. */
export interface SourceChange extends PartialFields {
  readonly credentials?: Fields | null | undefined;
}

const changedReason = 'The source was changed, so the run was started anew.';

/** The sources of workspaces, as people manage them. Each change writes its audit entry in its transaction. */
export class Sources {
  readonly #dependencies: Dependencies;
  readonly kinds: readonly AnySourceKind[];
  readonly tools: ToolParts;

  constructor(dependencies: Dependencies) {
    const { config, clock, threads, database } = dependencies;
    this.#dependencies = dependencies;
    const folders = config.SOURCE_FOLDERS;
    const findFolders = (workspaceId: string) => findOwnerFolders(database, folders, workspaceId);
    const loaders = warnOfMissing(config.SOURCE_LOADERS, dependencies.log);
    this.kinds = dependencies.kinds ?? sourceKinds({ folders, loaders, findFolders });
    const rendererUrl = config.RENDERER_URL;
    this.tools = { clock, threads, allowPrivate: config.ALLOW_PRIVATE_WEBHOOKS, rendererUrl };
  }

  /**
   * Throws `unknown_source_kind`, `source_kind_unavailable`, `invalid_settings`, `invalid_credentials` and
   * `too_many_sources`.
   */
  async create(workspaceId: string, input: NewSource, actor: Actor): Promise<SourceView> {
    const { database, clock, secretBox } = this.#dependencies;
    const kind = this.requireAvailableKind(input.kind);
    const settings = parseValues('settings', kind, input.settings);
    const credentials = parseValues('credentials', kind, input.credentials);
    const now = clock.now();
    const id = newId('src');
    const run = await database.transaction().execute(async (transaction) => {
      await requireRoom(transaction, workspaceId);
      const source = await transaction
        .insertInto('source')
        .values({
          ...{ id, workspace_id: workspaceId, name: input.name, kind: kind.kind },
          settings: JSON.stringify(settings),
          credentials_encrypted: sealCredentials(secretBox, id, credentials),
          ...{ audience: normalise(input.audience), max_items: input.maxItems },
          ...{ include: [...input.include], exclude: [...input.exclude] },
          ...{ schedule_minutes: input.scheduleMinutes, next_run_at: nextRunAt(input.scheduleMinutes, now) },
          ...{ created_at: now, updated_at: now },
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const details = { source: id, kind: kind.kind };
      await auditWorkspace(transaction, { workspaceId, actor, at: now, action: 'source_created', details });
      return input.run ? insertRun(transaction, { source, startedBy: actor.name, now }) : null;
    });
    await this.#wake(run);
    return this.get(workspaceId, id);
  }

  /** Throws `source_not_found`. */
  async get(workspaceId: string, id: string): Promise<SourceView> {
    const row = await requireSource(this.#dependencies.database, { workspaceId, id });
    const [view] = await viewSources(this.#dependencies, [row]);
    if (view === undefined) throw new AppError('source_not_found');
    return view;
  }

  /** Returns a page of the sources, newest first. Throws `invalid_cursor`. */
  async list(workspaceId: string, page: PageRequest): Promise<Page<SourceView>> {
    const query = this.#dependencies.database
      .selectFrom('source')
      .selectAll()
      .where('workspace_id', '=', workspaceId);
    const order = { list: `sources ${workspaceId}`, latest: 'created_at' } as const;
    const { items, nextCursor } = await keysetPage(query, order, page);
    return { items: await viewSources(this.#dependencies, items), nextCursor };
  }

  /**
   * Changes a source. If that changes what a run reads, a run in progress ends, and another starts unless the source
   * is paused. Throws `source_not_found`, `invalid_settings`, `invalid_credentials` and `credentials_required`.
   */
  async change(target: SourceTarget, change: SourceChange): Promise<SourceView> {
    const { secretBox } = this.#dependencies;
    await this.#run(target, async (transaction, row, now) => {
      const kind = requireKind(this.kinds, row.kind);
      const next = this.#parseChange(kind, change);
      const fields = changedFields(toSourceRecord(row), next);
      if (next.credentials !== undefined) fields.push('credentials');
      if (fields.length === 0) return null;
      this.#requireCredentials(row, next);
      const { name, settings, audience, include, exclude, maxItems, scheduleMinutes, credentials } = next;
      const changed = await transaction
        .updateTable('source')
        .set({
          updated_at: now,
          ...(name !== undefined && { name }),
          feed: null,
          ...(settings !== undefined && { settings: JSON.stringify(settings) }),
          ...(audience !== undefined && { audience: [...audience] }),
          ...(include !== undefined && { include: [...include] }),
          ...(exclude !== undefined && { exclude: [...exclude] }),
          ...(maxItems !== undefined && { max_items: maxItems }),
          ...(fields.includes('schedule_minutes') && {
            schedule_minutes: scheduleMinutes ?? null,
            next_run_at: nextRunAt(scheduleMinutes ?? null, now),
          }),
          ...(credentials !== undefined && {
            credentials_encrypted: sealCredentials(secretBox, row.id, credentials),
          }),
        })
        .where('id', '=', row.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await this.#audit(transaction, target, { now, fields });
      if (fields.every((field) => field === 'name' || field === 'schedule_minutes')) return null;
      await forgetReadings(transaction, row.id, fields);
      await cancelRun(transaction, row.id, { now, code: 'source_changed', reason: changedReason });
      if (changed.paused_at !== null) return null;
      return insertRun(transaction, { source: changed, startedBy: target.actor.name, now });
    });
    return this.get(target.workspaceId, target.id);
  }

  /** Throws `credentials_required` if the stored credentials would be sent to a new address. */
  #requireCredentials(
    row: Selectable<Tables['source']>,
    {
      settings,
      credentials,
    }: { readonly settings?: Fields | undefined; readonly credentials?: Fields | undefined },
  ): void {
    if (settings === undefined || credentials !== undefined) return;
    const stored = openCredentials(this.#dependencies.secretBox, row.id, row.credentials_encrypted);
    const before = { credentials: stored, settings: row.settings };
    requireCredentialsForAddress({ before, after: { settings }, given: {} });
  }

  #parseChange(kind: AnySourceKind, { settings, credentials, audience, ...change }: SourceChange) {
    return {
      ...change,
      audience: audience && normalise(audience),
      settings: settings && parseValues('settings', kind, settings),
      credentials:
        credentials === undefined ? undefined : parseValues('credentials', kind, credentials ?? {}),
    };
  }

  async #audit(
    transaction: Transaction<Tables>,
    { workspaceId, id, actor }: SourceTarget,
    { now, fields }: { readonly now: Date; readonly fields: readonly string[] },
  ): Promise<void> {
    const entry = { workspaceId, actor, at: now };
    const others = fields.filter((field) => field !== 'credentials');
    if (others.length > 0) {
      const details = { source: id, fields: others };
      await auditWorkspace(transaction, { ...entry, action: 'source_changed', details });
    }
    if (others.length === fields.length) return;
    await auditWorkspace(transaction, {
      ...entry,
      ...{ action: 'source_credentials_replaced', details: { source: id } },
    });
  }

  /** Starts no runs until the source is resumed, and ends the current one. Throws `source_not_found`. */
  async pause(target: SourceTarget): Promise<SourceView> {
    await this.#run(target, async (transaction, row, now) => {
      await cancelRun(transaction, row.id, { now });
      if (row.paused_at !== null) return null;
      await this.#setPaused(transaction, target, now);
      return null;
    });
    return this.get(target.workspaceId, target.id);
  }

  /** The next run follows the schedule; a missed one starts at once. Throws `source_not_found`. */
  async resume(target: SourceTarget): Promise<SourceView> {
    await this.#run(target, async (transaction, row) => {
      if (row.paused_at !== null) await this.#setPaused(transaction, target, null);
      return null;
    });
    return this.get(target.workspaceId, target.id);
  }

  async #setPaused(
    transaction: Transaction<Tables>,
    { workspaceId, id, actor }: SourceTarget,
    pausedAt: Date | null,
  ): Promise<void> {
    const at = this.#dependencies.clock.now();
    await transaction
      .updateTable('source')
      .set({ paused_at: pausedAt, updated_at: at })
      .where('id', '=', id)
      .execute();
    const action = pausedAt === null ? 'source_resumed' : 'source_paused';
    await auditWorkspace(transaction, { workspaceId, actor, at, action, details: { source: id } });
  }

  /**
   * Starts a run. A full one reads every item, whatever its version, and sends no conditions. Throws `source_not_found`,
   * `source_paused` and `source_running`.
   */
  async run(target: SourceTarget, { isFull = false } = {}): Promise<SourceView> {
    await this.#run(target, async (transaction, source, now) => {
      if (source.paused_at !== null) throw new AppError('source_paused');
      const run = await insertRun(transaction, { source, startedBy: target.actor.name, now, isFull });
      if (run === null) throw new AppError('source_running');
      await this.#auditRun(transaction, target, { now, action: 'source_run_started' });
      return run;
    });
    return this.get(target.workspaceId, target.id);
  }

  /** Ends the current run; its items so far stay. Throws `source_not_found` and `source_not_running`. */
  async cancel(target: SourceTarget): Promise<SourceView> {
    await this.#run(target, async (transaction, { id }, now) => {
      if (!(await cancelRun(transaction, id, { now }))) throw new AppError('source_not_running');
      await this.#auditRun(transaction, target, { now, action: 'source_run_cancelled' });
      return null;
    });
    return this.get(target.workspaceId, target.id);
  }

  /** Publishes the changes that are held. Throws `source_not_found`, `source_not_held` and `source_running`. */
  async apply(target: SourceTarget): Promise<SourceView> {
    await applyHold(this.#dependencies, target);
    return this.get(target.workspaceId, target.id);
  }

  /** Discards the changes that are held. Throws `source_not_found` and `source_not_held`. */
  async discard(target: SourceTarget): Promise<SourceView> {
    await discardHold(this.#dependencies, target);
    return this.get(target.workspaceId, target.id);
  }

  async #auditRun(
    transaction: Transaction<Tables>,
    { workspaceId, id, actor }: SourceTarget,
    { now, action }: { readonly now: Date; readonly action: 'source_run_started' | 'source_run_cancelled' },
  ): Promise<void> {
    await auditWorkspace(transaction, { workspaceId, actor, at: now, action, details: { source: id } });
  }

  /** Deletes a source. Its documents are deleted too, or stay without further updates. Throws `source_not_found`. */
  async delete(
    target: SourceTarget,
    { documents }: { readonly documents: 'keep' | 'delete' },
  ): Promise<void> {
    const { workspaceId, id, actor } = target;
    await this.#run(target, async (transaction, { name }, now) => {
      const deleted = documents === 'delete' ? await deleteDocuments(transaction, id) : 0;
      if (documents === 'keep') await keepDocuments(transaction, id);
      await transaction.deleteFrom('source').where('id', '=', id).execute();
      await dropUnusedTrees(transaction, workspaceId);
      const details = { source: id, name, documents: deleted };
      await auditWorkspace(transaction, { workspaceId, actor, at: now, action: 'source_deleted', details });
      return null;
    });
  }

  /** Returns a source with its opened credentials, for a preview. Throws `source_not_found`. */
  async open(workspaceId: string, id: string): Promise<SourceRecord & { readonly credentials: Fields }> {
    const row = await requireSource(this.#dependencies.database, { workspaceId, id });
    const credentials = openCredentials(this.#dependencies.secretBox, id, row.credentials_encrypted);
    return { ...toSourceRecord(row), credentials };
  }

  /** Throws `source_not_found`. */
  async require(workspaceId: string, id: string): Promise<void> {
    await requireSource(this.#dependencies.database, { workspaceId, id });
  }

  /** Throws `unknown_source_kind` and `source_kind_unavailable`. */
  requireAvailableKind(name: string): AnySourceKind {
    const kind = requireKind(this.kinds, name);
    if (kind.unavailable === undefined) return kind;
    throw new AppError('source_kind_unavailable', { detail: kind.unavailable });
  }

  /** Changes a locked source, and queues the run that `change` started. */
  async #run(
    { workspaceId, id }: SourceTarget,
    change: (
      transaction: Transaction<Tables>,
      row: Selectable<Tables['source']>,
      now: Date,
    ) => Promise<RunRow | null>,
  ): Promise<void> {
    const { database, clock } = this.#dependencies;
    const run = await database.transaction().execute(async (transaction) => {
      const row = await lockSource(transaction, { workspaceId, id });
      return change(transaction, row, clock.now());
    });
    await this.#wake(run);
  }

  async #wake(run: RunRow | null): Promise<void> {
    if (run !== null) await wakeRun(this.#dependencies, run);
  }
}

const normalise = (audience: readonly string[]): string[] => [...new Set(audience)].sort();
