import { sql, type Transaction } from 'kysely';
import { requireOrderedTiers } from '../answering/rules.ts';
import { AppError } from '../base/errors.ts';
import type { Actor } from '../contract/actor.ts';
import type { DocumentRecord } from '../knowledge/documents/document.ts';
import { lockDocument } from '../knowledge/documents/document-revision.ts';
import { keepDocument, putBackDocument } from '../knowledge/documents/kept-document.ts';
import { batchRows, type TaskContext } from '../storage/maintenance-task.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { eventTransaction } from '../webhooks/event-transaction.ts';
import { closeStaging } from '../workspaces/staging.ts';
import { workspaceSettingsChangeSchema } from '../workspaces/workspace-settings.ts';
import type { Change, ChangeItem, Kept } from './change-item.ts';
import {
  auditSet,
  type ChangeDependencies,
  type ChangeSet,
  type ChangeSetTarget,
  fromRow,
  loadItems,
  lockSet,
  lockStaged,
} from './change-set.ts';
import { publishCurated, undoCurated } from './curated-items.ts';
import { findConflicts } from './find-conflicts.ts';
import { publishSkill, undoSkill } from './skill-items.ts';
import { documentState, newSource, readSettings, toSource } from './stage-item.ts';
import { requireReady } from './staged-documents.ts';
import { isGreen } from './trial-results.ts';

/** For so long a published set can be taken back. */
const KEPT_MS = 30 * 24 * 3_600_000;

interface Done {
  readonly kept: Kept;
  readonly documentId: string | null;
  /** The document for which a worker is to be woken. */
  readonly document: DocumentRecord | null;
}

/** Publishes change sets, and takes published ones back. */
export class PublishedSets {
  readonly #dependencies: ChangeDependencies;

  constructor(dependencies: ChangeDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Makes all changes of a set in one transaction. Settings count at once, documents when they are indexed: seconds later.
   * Throws `change_set_not_found`, `change_set_closed`, `change_set_empty`, `change_set_not_ready`,
   * `change_set_not_green` if the workspace asks for a green set, and `change_set_conflict` if something that it
   * changes was changed meanwhile.
   */
  async publish({ workspaceId, id, actor }: ChangeSetTarget): Promise<ChangeSet> {
    const at = this.#dependencies.clock.now();
    return this.#run(async (transaction) => {
      const set = await lockStaged(transaction, workspaceId, id);
      const items = await loadItems(transaction, set);
      if (items.length === 0) throw new AppError('change_set_empty');
      await requireReady(transaction, { set, items });
      const { settings } = await this.#dependencies.workspaces.lock(transaction, workspaceId);
      if (settings.publish_needs_green === true && !(await isGreen(transaction, set)))
        throw new AppError('change_set_not_green');
      for (const documentId of items.flatMap((item) => item.documentId ?? []).toSorted())
        await lockDocument(transaction, workspaceId, documentId);
      await requireUnchanged(transaction, { set, items });
      const touched = [];
      for (const item of items) {
        const { kept, documentId, document } = await this.#publishItem(transaction, { set, item, actor });
        await transaction
          .updateTable('change_item')
          .set({ kept: JSON.stringify(kept), document_id: documentId, staged_document_id: null })
          .where('id', '=', item.id)
          .execute();
        if (document !== null) touched.push(document);
      }
      const row = await transaction
        .updateTable('change_set')
        .set({ state: 'published', published_by: actor.name, published_at: at, staging_id: null })
        .where('id', '=', set.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      if (set.stagingId !== null) await closeStaging(transaction, { stagingId: set.stagingId, at });
      await auditSet(transaction, set, { actor, at, action: 'change_set_published' });
      return { set: fromRow(row), touched };
    });
  }

  /**
   * Puts back what the set changed, in one transaction. Throws `change_set_not_found`, `change_set_closed` if it is not
   * published, `change_set_too_old`, and `change_set_conflict` if something of it was changed since.
   */
  async undo({ workspaceId, id, actor }: ChangeSetTarget): Promise<ChangeSet> {
    const at = this.#dependencies.clock.now();
    return this.#run(async (transaction) => {
      const set = await lockSet(transaction, workspaceId, id);
      if (set.state !== 'published') throw new AppError('change_set_closed');
      const items = await loadItems(transaction, set);
      if (items.some(({ kept }) => kept === null)) throw new AppError('change_set_too_old');
      await this.#dependencies.workspaces.lock(transaction, workspaceId);
      await requireUnchanged(transaction, {
        set,
        items: items.map((item) => ({ ...item, base: item.kept?.published ?? {} })),
      });
      const touched = [];
      for (const item of items.toReversed()) {
        const document = await this.#undoItem(transaction, { set, item, actor });
        if (document !== null) touched.push(document);
      }
      const row = await transaction
        .updateTable('change_set')
        .set({ state: 'undone', undone_by: actor.name, undone_at: at })
        .where('id', '=', set.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await auditSet(transaction, set, { actor, at, action: 'change_set_undone' });
      return { set: fromRow(row), touched };
    });
  }

  async #run(
    work: (
      transaction: Transaction<Tables>,
    ) => Promise<{ readonly set: ChangeSet; readonly touched: readonly DocumentRecord[] }>,
  ): Promise<ChangeSet> {
    const { set, touched } = await eventTransaction(this.#dependencies, work);
    for (const document of touched) await this.#dependencies.wake(document);
    return set;
  }

  async #publishItem(transaction: Transaction<Tables>, { set, item, actor }: Acting): Promise<Done> {
    const { documents, documentChanges, workspaces } = this.#dependencies;
    const { workspaceId } = set;
    const { change } = item;
    switch (change.kind) {
      case 'document_new': {
        const added = await documents.addWithin(transaction, { ...newSource(change), workspaceId, actor });
        const kept = { published: { document: documentState(added) } };
        return { kept, documentId: added.id, document: added };
      }
      case 'document_content': {
        const live = await requireDocument(transaction, set, change);
        const document = await keepDocument(transaction, live);
        const source = { ...toSource(change.content), title: change.title };
        const changed = await documentChanges.replaceWithin(transaction, live, { source, actor });
        const kept = { document, published: { document: documentState(changed) } };
        return { kept, documentId: live.id, document: changed };
      }
      case 'document_removed': {
        const live = await requireDocument(transaction, set, change);
        const document = await keepDocument(transaction, live);
        const target = { workspaceId, id: live.id };
        const removed = await documents.deleteWithin(transaction, target, { actor });
        return { kept: { document, published: {} }, documentId: live.id, document: removed };
      }
      case 'settings': {
        const { settings } = await workspaces.lock(transaction, workspaceId);
        requireOrderedTiers({ ...settings, ...change.settings });
        const changed = await workspaces.updateWithin(transaction, workspaceId, {
          change: { settings: change.settings },
          actor,
        });
        const names = Object.keys(change.settings);
        const kept = {
          settings: readSettings(settings, names),
          published: { settings: readSettings(changed.settings, names) },
        };
        return { kept, documentId: null, document: null };
      }
      case 'curated_written':
      case 'curated_removed':
        return publishCurated(this.#dependencies, transaction, { workspaceId, change, actor });
      case 'skill_new':
      case 'skill_changed':
      case 'skill_removed': {
        const acting = { workspaceId, change, actor, keptMs: KEPT_MS };
        const kept = await publishSkill(this.#dependencies, transaction, acting);
        return { kept, documentId: null, document: null };
      }
    }
  }

  /** Returns the document for which a worker is to be woken. */
  async #undoItem(
    transaction: Transaction<Tables>,
    { set: { workspaceId }, item, actor }: Acting,
  ): Promise<DocumentRecord | null> {
    const { documents, workspaces, clock } = this.#dependencies;
    const { change, kept } = item;
    const id = item.documentId ?? '';
    switch (change.kind) {
      case 'document_new':
        return documents.deleteWithin(transaction, { workspaceId, id }, { actor });
      case 'document_content':
      case 'document_removed': {
        if (kept?.document === undefined) throw new AppError('change_set_too_old');
        return putBackDocument(transaction, {
          ...{ workspaceId, id, kept: kept.document, actor, at: clock.now() },
        });
      }
      case 'settings': {
        const settings = workspaceSettingsChangeSchema.parse(kept?.settings ?? {});
        await workspaces.updateWithin(transaction, workspaceId, { change: { settings }, actor });
        return null;
      }
      case 'curated_written':
      case 'curated_removed':
        return undoCurated(this.#dependencies, transaction, { workspaceId, item, actor });
      case 'skill_new':
      case 'skill_changed':
      case 'skill_removed': {
        if (kept === null) throw new AppError('change_set_too_old');
        await undoSkill(this.#dependencies, transaction, { workspaceId, change, kept, actor });
        return null;
      }
    }
  }
}

interface Acting {
  readonly set: ChangeSet;
  readonly item: ChangeItem;
  readonly actor: Actor;
}

async function requireDocument(
  transaction: Transaction<Tables>,
  { workspaceId, id }: ChangeSet,
  change: Extract<Change, { document_id: string }>,
): Promise<DocumentRecord> {
  const document = await lockDocument(transaction, workspaceId, change.document_id);
  if (document === null)
    throw new AppError('change_set_conflict', { detail: `A document of ${id} is gone.` });
  return document;
}

/** Throws `change_set_conflict`, which names what was changed. */
async function requireUnchanged(
  transaction: Transaction<Tables>,
  checked: Parameters<typeof findConflicts>[1],
): Promise<void> {
  const conflicts = await findConflicts(transaction, checked);
  if (conflicts.length === 0) return;
  const names = [...new Set(conflicts.map(({ name }) => name))].join('; ');
  throw new AppError('change_set_conflict', { detail: `Changed meanwhile: ${names}.` });
}

/** A task of maintenance: forgets the former texts of sets that were published 30 days ago, which cannot be taken back then. */
export async function purgeKeptChanges({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS);
  const { numAffectedRows = 0n } = await sql`
    update change_item set kept = null where id = any(array(
      select change_item.id from change_item join change_set on change_set.id = change_item.change_set_id
      where change_item.kept is not null and change_set.published_at < ${before} limit ${batchRows}
    ))
  `.execute(transaction);
  return Number(numAffectedRows);
}
