import type { Kysely, Selectable, Transaction } from 'kysely';
import { z } from 'zod';
import type { HttpSkills } from '../answering/skills/http/http-skills.ts';
import { auditWorkspace } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Actor } from '../contract/actor.ts';
import type { DocumentChanges } from '../knowledge/documents/document-changes.ts';
import type { Documents } from '../knowledge/documents/documents.ts';
import type { WakeDocument } from '../knowledge/indexing/ingest-jobs.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { ScheduleDeliveries } from '../webhooks/event-transaction.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { baseSchema, type ChangeItem, changeSchema, keptSchema } from './change-item.ts';

export const changeSetStates = ['staged', 'published', 'undone'] as const;

/** Changes of a workspace that are tried and published together. */
export interface ChangeSet {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly state: (typeof changeSetStates)[number];
  /** Counts the changes of its items. */
  readonly revision: number;
  readonly stagingId: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly publishedBy: string | null;
  readonly publishedAt: Date | null;
  readonly undoneBy: string | null;
  readonly undoneAt: Date | null;
}

export interface ChangeDependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly workspaces: Workspaces;
  readonly documents: Documents;
  readonly documentChanges: DocumentChanges;
  readonly httpSkills: HttpSkills;
  /** Wakes a worker after documents were stored. */
  readonly wake: WakeDocument;
  readonly scheduleDeliveries?: ScheduleDeliveries;
}

/** A set, and the person or key that changes it. */
export interface ChangeSetTarget {
  readonly workspaceId: string;
  readonly id: string;
  readonly actor: Actor;
}

/** Throws `change_set_not_found`, and `change_set_closed` if the set was published. */
export async function lockStaged(
  transaction: Transaction<Tables>,
  workspaceId: string,
  id: string,
): Promise<ChangeSet> {
  const set = await lockSet(transaction, workspaceId, id);
  if (set.state !== 'staged') throw new AppError('change_set_closed');
  return set;
}

/** Throws `change_set_not_found`. */
export async function lockSet(
  transaction: Transaction<Tables>,
  workspaceId: string,
  id: string,
): Promise<ChangeSet> {
  const row = await transaction
    .selectFrom('change_set')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('change_set_not_found');
  return fromRow(row);
}

/** Returns the items of a set in the order in which they were staged first. */
export async function loadItems(
  database: Kysely<Tables>,
  { id, workspaceId }: Pick<ChangeSet, 'id' | 'workspaceId'>,
): Promise<readonly ChangeItem[]> {
  const rows = await database
    .selectFrom('change_item')
    .selectAll()
    .where('change_set_id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    change: changeSchema.parse(row.change),
    base: baseSchema.parse(row.base),
    documentId: row.document_id,
    stagedDocumentId: row.staged_document_id,
    kept: keptSchema.nullable().parse(row.kept),
  }));
}

interface SetAudit {
  readonly actor: Actor;
  readonly at: Date;
  readonly action:
    | 'change_set_created'
    | 'change_set_changed'
    | 'change_set_discarded'
    | 'change_set_tried'
    | 'change_set_published'
    | 'change_set_undone';
}

export async function auditSet(
  transaction: Kysely<Tables>,
  { id, name, workspaceId }: ChangeSet,
  entry: SetAudit,
): Promise<void> {
  await auditWorkspace(transaction, { workspaceId, ...entry, details: { change_set: id, name } });
}

const stateSchema = z.enum(changeSetStates);

export function fromRow(row: Selectable<Tables['change_set']>): ChangeSet {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    state: stateSchema.parse(row.state),
    revision: row.revision,
    stagingId: row.staging_id,
    createdBy: row.created_by,
    createdAt: row.created_at,
    publishedBy: row.published_by,
    publishedAt: row.published_at,
    undoneBy: row.undone_by,
    undoneAt: row.undone_at,
  };
}
