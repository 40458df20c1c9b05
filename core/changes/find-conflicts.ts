import { type Kysely, sql } from 'kysely';
import { loadSkills } from '../answering/skills/http/http-skills.ts';
import { toSourceKey } from '../knowledge/curated/curated-answer.ts';
import { loadAnswers } from '../knowledge/curated/kept-answer.ts';
import type { CuratedAnswer } from '../knowledge/curated/store-answers.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { workspaceSettingsSchema } from '../workspaces/workspace-settings.ts';
import { type Base, type ChangeItem, isSkillChange } from './change-item.ts';
import type { ChangeSet } from './change-set.ts';
import { compareSkill } from './skill-items.ts';
import { readSettings } from './stage-item.ts';

/** Something that somebody changed meanwhile. */
export interface ChangeConflict {
  readonly itemId: string;
  /** The title of the document, the names of the settings, the question or the name of the skill. */
  readonly name: string;
  /** Whether it is gone, so that nothing can be taken over. */
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
  const ids = items.flatMap(({ base, documentId }) => (base.curated === undefined ? [] : (documentId ?? [])));
  const answers = await loadAnswers(database, { workspaceId, ids });
  const hasSkills = items.some(({ change }) => isSkillChange(change));
  const skills = hasSkills ? await loadSkills(database, workspaceId) : [];
  return items.flatMap((item) => {
    const skill = compareSkill(item, skills);
    return [
      ...compareDocument(item, documents.get(item.documentId ?? '')),
      ...compareAnswer(item, answers.get(item.documentId ?? '')),
      ...compareSettings(item, settings),
      ...compareKey(item, documents),
      ...(skill === null ? [] : [{ itemId: item.id, ...skill }]),
    ];
  });
}

function compareAnswer(
  { id, base: { curated } }: Item,
  found: CuratedAnswer | undefined,
): readonly ChangeConflict[] {
  if (curated === undefined || found?.updatedAt.toISOString() === curated.changed_at) return [];
  return [{ itemId: id, name: curated.question, isGone: found === undefined }];
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
  const keys = items.flatMap((item) => wantedKey(item)?.key ?? []);
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

/** The key that no other document may have, with the name for it; null for an item that sets none. */
function wantedKey({ change, documentId }: Item): { readonly key: string; readonly name: string } | null {
  if (change.kind === 'curated_written')
    return { key: toSourceKey(change.question, change.audience), name: change.question };
  return change.kind === 'document_new' && documentId === null && change.url !== undefined
    ? { key: `url ${change.url}`, name: change.url }
    : null;
}

/** A new document whose URL another one has by now, or an answer whose question another one has. */
function compareKey(item: Item, documents: ReadonlyMap<string, FoundDocument>): readonly ChangeConflict[] {
  const wanted = wantedKey(item);
  const holder = wanted === null ? undefined : documents.get(wanted.key);
  if (wanted === null || holder === undefined || holder.id === item.documentId) return [];
  return [{ itemId: item.id, name: wanted.name, isGone: true }];
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
