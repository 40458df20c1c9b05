import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables/tables.ts';
import { workspaceSettingsSchema } from '../workspaces/workspace-settings.ts';
import type { Base, ChangeItem } from './change-item.ts';
import type { ChangeSet } from './change-set.ts';
import { readSettings } from './stage-item.ts';

/** A document or setting that somebody changed meanwhile. */
export interface ChangeConflict {
  readonly itemId: string;
  /** The title of the document, or the names of the settings. */
  readonly name: string;
  /** Whether the document is gone, so that nothing can be taken over. */
  readonly isGone: boolean;
}

interface Checked {
  readonly set: Pick<ChangeSet, 'workspaceId'>;
  readonly items: readonly Pick<ChangeItem, 'id' | 'base' | 'documentId' | 'change'>[];
}

/** Compares the bases of items with what is there now. */
export async function findConflicts(
  database: Kysely<Tables>,
  { set: { workspaceId }, items }: Checked,
): Promise<readonly ChangeConflict[]> {
  const documents = await findDocuments(database, workspaceId, items);
  const settings = items.some(({ base }) => base.settings !== undefined)
    ? await findSettings(database, workspaceId)
    : {};
  return items.flatMap((item) => [
    ...compareDocument(item, documents.get(item.documentId ?? '')),
    ...compareSettings(item, settings),
    ...compareUrl(item, documents),
  ]);
}

type Item = Checked['items'][number];

interface FoundDocument {
  readonly id: string;
  readonly source_key: string;
  readonly wanted_revision: number;
  readonly updated_at: Date;
}

async function findDocuments(
  database: Kysely<Tables>,
  workspaceId: string,
  items: Checked['items'],
): Promise<ReadonlyMap<string, FoundDocument>> {
  const ids = items.flatMap(({ documentId }) => documentId ?? []);
  const keys = items.flatMap((item) => urlKey(item) ?? []);
  if (ids.length + keys.length === 0) return new Map();
  const rows = await database
    .selectFrom('document')
    .select(['id', 'source_key', 'wanted_revision', 'updated_at'])
    .where('workspace_id', '=', workspaceId)
    .where('status', '<>', 'deleted')
    .where(sql<boolean>`(id = any(${ids}::text[]) or source_key = any(${keys}::text[]))`)
    .execute();
  return new Map(rows.flatMap((row) => [[row.id, row] as const, [row.source_key, row] as const]));
}

function urlKey({ change, documentId }: Item): string | null {
  return change.kind === 'document_new' && documentId === null && change.url !== undefined
    ? `url ${change.url}`
    : null;
}

/** A new document whose URL another one has by now. */
function compareUrl(item: Item, documents: ReadonlyMap<string, FoundDocument>): readonly ChangeConflict[] {
  const key = urlKey(item);
  const isTaken = key !== null && documents.has(key);
  return isTaken ? [{ itemId: item.id, name: key.slice('url '.length), isGone: true }] : [];
}

function compareDocument(
  { id, base: { document } }: Item,
  found: FoundDocument | undefined,
): readonly ChangeConflict[] {
  if (document === undefined) return [];
  const isSame =
    found?.wanted_revision === document.revision && found.updated_at.toISOString() === document.changed_at;
  return isSame ? [] : [{ itemId: id, name: document.title, isGone: found === undefined }];
}

function compareSettings(
  { id, base }: Item,
  settings: NonNullable<Base['settings']>,
): readonly ChangeConflict[] {
  const changed = Object.entries(base.settings ?? {}).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(settings[name] ?? null),
  );
  if (changed.length === 0) return [];
  return [{ itemId: id, name: changed.map(([name]) => name).join(', '), isGone: false }];
}

async function findSettings(database: Kysely<Tables>, workspaceId: string) {
  const row = await database
    .selectFrom('workspace')
    .select('settings')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const settings = workspaceSettingsSchema.parse(row.settings);
  return readSettings(settings, Object.keys(settings));
}
