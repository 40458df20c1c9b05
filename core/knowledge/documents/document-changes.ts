import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { type Actor, operatorActor } from '../../contract/actor.ts';
import { violatesConstraint } from '../../storage/sql-errors.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { eventTransaction, type ScheduleDeliveries } from '../../webhooks/event-transaction.ts';
import type { WakeDocument } from '../indexing/ingest-jobs.ts';
import { type DocumentRecord, documentStatuses, toDocumentRecord } from './document.ts';
import {
  auditDocument,
  type DocumentSource,
  hasUpload,
  lockDocument,
  normaliseAudience,
  queueRevision,
  refuseRevision,
  requeueRevision,
} from './document-revision.ts';
import { deleteUploads } from './document-upload.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  /** Wakes a worker after a document that needs indexing was stored. */
  readonly wake: WakeDocument;
  readonly scheduleDeliveries?: ScheduleDeliveries;
}

/** A document of a workspace, and who changes it. */
export interface DocumentTarget {
  readonly workspaceId: string;
  readonly id: string;
  /** The actor for the audit log; `operator` by default. */
  readonly actor?: Actor | undefined;
}

/** Absent fields stay as they are. */
export interface DocumentFields {
  readonly title?: string | undefined;
  /** Null removes it. */
  readonly url?: string | null | undefined;
  readonly audience?: readonly string[] | undefined;
}

/** Changes of documents that exist. Each writes its audit entry in its transaction. */
export class DocumentChanges {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Changes the title, URL or audience. A title or audience is part of what is indexed, so a document that answers use is
   * indexed again, from its upload or its passages; a failed upload is then given up. Throws `document_not_found`,
   * `document_exists` and `curated_document`.
   */
  change(target: DocumentTarget, wanted: DocumentFields): Promise<DocumentRecord> {
    return this.#run(target, async (transaction, document, at) => {
      refuseCurated(document);
      const audience = wanted.audience === undefined ? undefined : normaliseAudience(wanted.audience);
      const fields = changedFields(document, { ...wanted, audience });
      if (fields.length === 0) return document;
      const row = await transaction
        .updateTable('document')
        .set({
          ...(fields.includes('title') && { title: wanted.title, title_given: true }),
          ...(fields.includes('url') && { url: wanted.url }),
          // The document of a source stays known by its item.
          ...(fields.includes('url') &&
            document.sourceId === null && { source_key: keyOf(document, wanted.url) }),
          ...(fields.includes('audience') && { audience }),
          // The same file again has other fields than these, so it is not left alone.
          content_hash: null,
          updated_at: at,
        })
        .where('number', '=', document.number)
        .returningAll()
        .executeTakeFirstOrThrow();
      await auditDocument(transaction, document, {
        action: 'document_changed',
        ...this.#by(target, at),
        fields,
      });
      const changed = toDocumentRecord(row);
      const isIndexed = fields.some((field) => field !== 'url');
      if (!isIndexed || (changed.status === 'failed' && changed.revision < 1)) return changed;
      if (changed.status === 'failed') await deleteUploads(transaction, changed.number);
      return requeueRevision(transaction, changed, at);
    });
  }

  /**
   * Indexes the document again: a failed one from the content that was kept, another from its passages. One that waits or
   * is being indexed is left alone. Throws `document_not_found` and `document_content_gone`.
   */
  reindex(target: DocumentTarget): Promise<DocumentRecord> {
    return this.#run(target, async (transaction, document, at) => {
      if (document.status === 'queued' || document.status === 'indexing') return document;
      if (document.status === 'failed' && !(await hasUpload(transaction, document))) {
        throw new AppError('document_content_gone');
      }
      await auditDocument(transaction, document, { action: 'document_reindexed', ...this.#by(target, at) });
      return requeueRevision(transaction, document, at);
    });
  }

  /**
   * Replaces the content in place: the id stays, and what `source` does not name stays too. Answers use the old content
   * until the new one is indexed. Throws `document_not_found` and `curated_document`.
   */
  replace(target: DocumentTarget, source: DocumentSource): Promise<DocumentRecord> {
    return this.#run(target, (transaction, document) =>
      this.replaceWithin(transaction, document, { source, actor: target.actor ?? operatorActor }),
    );
  }

  /** The same for a locked document, within a transaction. The caller wakes a worker after the commit. */
  async replaceWithin(
    transaction: Transaction<Tables>,
    document: DocumentRecord,
    { source, actor }: { readonly source: DocumentSource; readonly actor: Actor },
  ): Promise<DocumentRecord> {
    refuseCurated(document);
    const now = this.#dependencies.clock.now();
    const { title, url, audience } = document;
    const whole = {
      ...source,
      title: source.title ?? (document.titleGiven ? title : undefined),
      url: source.url ?? url ?? undefined,
      audience: source.audience ?? audience,
    };
    const store = source.refusal === undefined ? queueRevision : refuseRevision;
    const changed = await store(transaction, document, { source: whole, now });
    const audit = { action: 'document_changed', fields: ['content'] } as const;
    await auditDocument(transaction, changed, { ...audit, actor, at: now });
    return changed;
  }

  /**
   * Takes back a deletion that is still restorable. Throws `document_not_found`, and `document_exists` if the document was
   * added again meanwhile.
   */
  async restore(target: DocumentTarget): Promise<DocumentRecord> {
    const { database, clock, wake } = this.#dependencies;
    const at = clock.now();
    const restored = await refuseDuplicates(
      database.transaction().execute(async (transaction) => {
        const found = await transaction
          .selectFrom('document')
          .select(['number', 'undo'])
          .where('workspace_id', '=', target.workspaceId)
          .where('id', '=', target.id)
          .where('status', '=', 'deleted')
          .where('undo', 'is not', null)
          .where('restorable_until', '>', at)
          .forUpdate()
          .executeTakeFirst();
        if (found === undefined) throw new AppError('document_not_found');
        const { status, revision, source_key } = undoSchema.parse(found.undo);
        const row = await transaction
          .updateTable('document')
          .set({
            status: status === 'indexing' ? 'queued' : status,
            revision,
            source_key,
            undo: null,
            restorable_until: null,
          })
          .where('number', '=', found.number)
          .returningAll()
          .executeTakeFirstOrThrow();
        const document = toDocumentRecord(row);
        await auditDocument(transaction, document, { action: 'document_restored', ...this.#by(target, at) });
        await includeItem(transaction, document);
        return document;
      }),
    );
    if (restored.status === 'queued') await wake(restored);
    return restored;
  }

  #by({ actor = operatorActor }: DocumentTarget, at: Date) {
    return { actor, at };
  }

  async #run(
    { workspaceId, id }: DocumentTarget,
    change: (transaction: Transaction<Tables>, document: DocumentRecord, at: Date) => Promise<DocumentRecord>,
  ): Promise<DocumentRecord> {
    const { clock, wake } = this.#dependencies;
    const changed = await refuseDuplicates(
      eventTransaction(this.#dependencies, async (transaction) => {
        const document = await lockDocument(transaction, workspaceId, id);
        if (document === null) throw new AppError('document_not_found');
        return change(transaction, document, clock.now());
      }),
    );
    if (changed.status === 'queued') await wake(changed);
    return changed;
  }
}

/** Lets runs read the item again that the deletion excluded. */
async function includeItem(
  transaction: Transaction<Tables>,
  { id, workspaceId, sourceId }: DocumentRecord,
): Promise<void> {
  if (sourceId === null) return;
  await transaction
    .updateTable('source_item')
    .set({ state: 'current', code: null, reason: null })
    .where('workspace_id', '=', workspaceId)
    .where('source_id', '=', sourceId)
    .where('document_id', '=', id)
    .where('code', '=', 'deleted_by_hand')
    .execute();
}

/** The text of a curated answer comes from the answer. */
function refuseCurated({ origin }: DocumentRecord): void {
  if (origin === 'curated') throw new AppError('curated_document');
}

const undoSchema = z.object({
  status: z.enum(documentStatuses),
  revision: z.int(),
  source_key: z.string(),
});

function changedFields(
  document: DocumentRecord,
  { title, url, audience }: DocumentFields,
): readonly string[] {
  const isSameAudience = audience === undefined || audience.join('\0') === document.audience.join('\0');
  return [
    ...(title === undefined || title === document.title ? [] : ['title']),
    ...(url === undefined || url === document.url ? [] : ['url']),
    ...(isSameAudience ? [] : ['audience']),
  ];
}

/** A document is known by its URL, else by its file name, else by its id. */
function keyOf({ id, fileName }: DocumentRecord, url: string | null | undefined): string {
  if (url !== null && url !== undefined) return `url ${url}`;
  return fileName === null ? `id ${id}` : `file ${fileName}`;
}

async function refuseDuplicates<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (violatesConstraint(error, 'document_workspace_id_source_key_key')) {
      throw new AppError('document_exists', { cause: error });
    }
    throw error;
  }
}
