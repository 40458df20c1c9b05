import type { Transaction } from 'kysely';
import { requireOrderedTiers } from '../answering/rules.ts';
import { AppError } from '../base/errors.ts';
import { newIdInOrder } from '../base/ids.ts';
import { namedActor } from '../contract/actor.ts';
import type { DocumentRecord } from '../knowledge/documents/document.ts';
import { lockDocument } from '../knowledge/documents/document-revision.ts';
import type { NewDocument } from '../knowledge/documents/documents.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { WorkspaceSettings } from '../workspaces/workspace-settings.ts';
import { type Base, type Change, type ChangeItem, type DocumentState, namedDocument } from './change-item.ts';
import type { ChangeDependencies, ChangeSet } from './change-set.ts';
import { insertChange, requireStageable } from './curated-items.ts';
import { requireStageableSkill } from './skill-items.ts';

/** The actor of what happens in hidden workspaces. */
const stagingActor = namedActor('change set');

interface Staging {
  readonly set: ChangeSet;
  readonly change: Change;
  /** The item of the same thing; null if it is the first one. */
  readonly replaces: ChangeItem | null;
}

/**
 * Stores an item, and its document in the hidden workspace of the set. Returns the documents for which a worker is to be
 * woken. Throws `document_not_found`, `document_exists`, `curated_document`, `invalid_settings`, and what the stores of
 * curated answers and skills throw.
 */
export async function stageItem(
  dependencies: ChangeDependencies,
  transaction: Transaction<Tables>,
  { set, change, replaces }: Staging,
): Promise<readonly DocumentRecord[]> {
  const touched = [...(await unstageItem(dependencies, transaction, { set, item: replaces }))];
  const { base, store } = await prepareChange(dependencies, transaction, { set, change });
  let staged: DocumentRecord | null = null;
  if (store !== null) {
    staged = await store(await requireStaging(dependencies, transaction, set));
    touched.push(staged);
  }
  const values = {
    ...{ kind: change.kind, change: JSON.stringify(change), base: JSON.stringify(base) },
    document_id: namedDocument(change),
    staged_document_id: staged?.id ?? null,
  };
  await transaction
    .insertInto('change_item')
    .values({
      ...values,
      id: replaces?.id ?? newIdInOrder('item'),
      ...{ change_set_id: set.id, workspace_id: set.workspaceId, created_at: dependencies.clock.now() },
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute();
  return touched;
}

/** Removes the staged document of an item. Returns the documents for which a worker is to be woken. */
export async function unstageItem(
  { documents }: Pick<ChangeDependencies, 'documents'>,
  transaction: Transaction<Tables>,
  { set, item }: { readonly set: ChangeSet; readonly item: ChangeItem | null },
): Promise<readonly DocumentRecord[]> {
  if (set.stagingId === null || item === null || item.stagedDocumentId === null) return [];
  const target = { workspaceId: set.stagingId, id: item.stagedDocumentId };
  return [await documents.deleteWithin(transaction, target, { actor: stagingActor })];
}

/** A later change of settings or of the fields of a skill adds to the earlier one; any other replaces it. Pure. */
export function mergeChange(earlier: Change, later: Change): Change {
  if (earlier.kind === 'settings' && later.kind === 'settings')
    return { kind: 'settings', settings: { ...earlier.settings, ...later.settings } };
  if (earlier.kind === 'skill_changed' && later.kind === 'skill_changed')
    return { ...later, fields: { ...earlier.fields, ...later.fields } };
  return later;
}

interface Prepared {
  readonly base: Base;
  /** Stores the document of the change in the hidden workspace with this id; null if the change needs none. */
  readonly store: ((stagingId: string) => Promise<DocumentRecord>) | null;
}

async function prepareChange(
  { workspaces, documents, httpSkills, clock }: ChangeDependencies,
  transaction: Transaction<Tables>,
  { set: { workspaceId }, change }: Pick<Staging, 'set' | 'change'>,
): Promise<Prepared> {
  const add = (document: Omit<NewDocument, 'workspaceId' | 'actor'>) => (stagingId: string) =>
    documents.addWithin(transaction, { ...document, workspaceId: stagingId, actor: stagingActor });
  switch (change.kind) {
    case 'document_new': {
      await requireFreeUrl(transaction, workspaceId, change.url);
      return { base: {}, store: add(newSource(change)) };
    }
    case 'document_content': {
      const live = await requireDocument(transaction, workspaceId, change.document_id);
      const document = {
        ...toSource(change.content),
        title: change.title ?? (live.titleGiven ? live.title : undefined),
        url: live.url ?? undefined,
        audience: live.audience,
      };
      return { base: { document: documentState(live) }, store: add(document) };
    }
    case 'document_removed': {
      const live = await requireDocument(transaction, workspaceId, change.document_id);
      return { base: { document: documentState(live) }, store: null };
    }
    case 'settings': {
      const { settings } = await workspaces.lock(transaction, workspaceId);
      requireOrderedTiers({ ...settings, ...change.settings });
      return { base: { settings: readSettings(settings, Object.keys(change.settings)) }, store: null };
    }
    case 'curated_written': {
      const base = await requireStageable(transaction, workspaceId, change);
      const writing = { actor: stagingActor, at: clock.now() };
      const store = (stagingId: string) =>
        insertChange(transaction, { ...writing, workspaceId: stagingId }, change);
      return { base, store };
    }
    case 'curated_removed':
      return { base: await requireStageable(transaction, workspaceId, change), store: null };
    case 'skill_new':
    case 'skill_changed':
    case 'skill_removed': {
      const base = await requireStageableSkill({ httpSkills }, transaction, { workspaceId, change });
      return { base, store: null };
    }
  }
}

/** Returns the source of a new document, as it is staged and as it is published. */
export function newSource({ title, content, url, audience }: Extract<Change, { kind: 'document_new' }>) {
  return { ...toSource(content), title, url, audience };
}

export function toSource(content: string) {
  return { bytes: Buffer.from(content), contentType: 'text/markdown', origin: 'text' } as const;
}

async function requireDocument(
  transaction: Transaction<Tables>,
  workspaceId: string,
  id: string,
): Promise<DocumentRecord> {
  const document = await lockDocument(transaction, workspaceId, id);
  if (document === null) throw new AppError('document_not_found');
  if (document.origin === 'curated') throw new AppError('curated_document');
  return document;
}

/** Throws `document_exists` if a document of the workspace has the URL. */
export async function requireFreeUrl(
  transaction: Transaction<Tables>,
  workspaceId: string,
  url: string | undefined,
): Promise<void> {
  if (url === undefined) return;
  const row = await transaction
    .selectFrom('document')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('source_key', '=', `url ${url}`)
    .executeTakeFirst();
  if (row !== undefined) throw new AppError('document_exists');
}

/** Returns what tells whether a document was changed since. */
export function documentState({ title, wantedRevision, updatedAt }: DocumentRecord): DocumentState {
  return { title, revision: wantedRevision, changed_at: updatedAt.toISOString() };
}

/** Returns settings by name; null for one that is not set. */
export function readSettings(settings: WorkspaceSettings, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(settings, name) ?? null]));
}

/** Returns the hidden workspace of the set, and creates it for its first document. */
async function requireStaging(
  { workspaces }: ChangeDependencies,
  transaction: Transaction<Tables>,
  { id, workspaceId }: ChangeSet,
): Promise<string> {
  // A step before may have created it.
  const { staging_id } = await transaction
    .selectFrom('change_set')
    .select('staging_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (staging_id !== null) return staging_id;
  const stagingId = await workspaces.openStaging(transaction, workspaceId);
  await transaction.updateTable('change_set').set({ staging_id: stagingId }).where('id', '=', id).execute();
  return stagingId;
}
