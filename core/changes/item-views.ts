import type { Kysely } from 'kysely';
import type { DocumentRecord } from '../knowledge/documents/document.ts';
import { readIndexedText, renderMarkdown } from '../knowledge/documents/readable-documents.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { ChangeItem, ChangeView } from './change-item.ts';
import type { ChangeSet } from './change-set.ts';
import { viewCurated } from './curated-items.ts';
import { diffText } from './diff-text.ts';
import { type ChangeConflict, findConflicts } from './find-conflicts.ts';
import { viewSkill } from './skill-items.ts';
import { findStagedDocuments } from './staged-documents.ts';

/** An item as a person sees it. */
export interface ItemView extends ChangeView {
  readonly status: Exclude<DocumentRecord['status'], 'deleted'> | null;
  readonly failure: string | null;
  readonly isChanged: boolean;
  readonly isGone: boolean;
}

/** Returns the view of each item, in their order. */
export async function viewItems(
  database: Kysely<Tables>,
  set: ChangeSet,
  items: readonly ChangeItem[],
): Promise<readonly ItemView[]> {
  const staged = await findStagedDocuments(database, { set, items });
  const conflicts = set.state === 'staged' ? await findConflicts(database, { set, items }) : [];
  const views = [];
  for (const item of items) {
    const document = staged.get(item.stagedDocumentId ?? '');
    const conflict = conflicts.find(({ itemId }) => itemId === item.id);
    views.push(await toView(database, { set, item, state: toState(document, conflict) }));
  }
  return views;
}

type State = Pick<ItemView, 'status' | 'failure' | 'isChanged' | 'isGone'>;

function toState(document: DocumentRecord | undefined, conflict: ChangeConflict | undefined): State {
  return {
    status: document === undefined || document.status === 'deleted' ? null : document.status,
    failure: document?.failure?.reason ?? null,
    isChanged: conflict !== undefined && !conflict.isGone,
    isGone: conflict?.isGone ?? false,
  };
}

interface Viewed {
  readonly set: ChangeSet;
  readonly item: ChangeItem;
  readonly state: State;
}

async function toView(database: Kysely<Tables>, { set, item, state }: Viewed): Promise<ItemView> {
  const { change, base } = item;
  const view = { ...state, settings: [] };
  switch (change.kind) {
    case 'document_new':
      return { ...view, name: change.title, lines: diffText('', change.content) };
    case 'document_content': {
      const name = change.title ?? base.document?.title ?? '';
      const before = await readBefore(database, set, item);
      return {
        ...view,
        name,
        lines: diffText(withoutTitle(before, name), withoutTitle(change.content, name)),
      };
    }
    case 'document_removed': {
      const name = base.document?.title ?? '';
      const before = await readBefore(database, set, item);
      return { ...view, name, lines: diffText(withoutTitle(before, name), '') };
    }
    case 'settings': {
      const settings = Object.entries(change.settings).map(([name, after]) => ({
        ...{ name, before: base.settings?.[name] ?? null, after: after ?? null },
      }));
      return { ...view, name: '', lines: [], settings };
    }
    case 'curated_written':
    case 'curated_removed':
      return { ...view, ...(await viewCurated(database, set.workspaceId, { ...item, change })) };
    case 'skill_new':
    case 'skill_changed':
    case 'skill_removed':
      return { ...view, ...viewSkill(item) };
  }
}

/** The text as read begins with the title, which is no part of the content of many files. */
function withoutTitle(text: string, title: string): string {
  const heading = `# ${title}`;
  return text.startsWith(`${heading}\n`) ? text.slice(heading.length) : text;
}

async function readBefore(
  database: Kysely<Tables>,
  { workspaceId }: ChangeSet,
  { kept, documentId }: ChangeItem,
): Promise<string> {
  if (kept?.document !== undefined) return renderMarkdown(kept.document.title, kept.document.passages);
  if (documentId === null || kept !== null) return '';
  const row = await database
    .selectFrom('document')
    .select(['number', 'title', 'revision'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', documentId)
    .where('status', '<>', 'deleted')
    .executeTakeFirst();
  return row === undefined ? '' : readIndexedText(database, row);
}
