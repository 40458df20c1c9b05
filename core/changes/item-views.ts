import type { Kysely } from 'kysely';
import type { DocumentRecord } from '../knowledge/documents/document.ts';
import { readIndexedText, renderMarkdown } from '../knowledge/documents/readable-documents.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { ChangeItem } from './change-item.ts';
import type { ChangeSet } from './change-set.ts';
import { type DiffLine, diffText } from './diff-text.ts';
import { type ChangeConflict, findConflicts } from './find-conflicts.ts';
import { findStagedDocuments } from './staged-documents.ts';

/** An item as a person sees it. */
export interface ItemView {
  /** The title of the document; empty for settings. */
  readonly name: string;
  readonly status: Exclude<DocumentRecord['status'], 'deleted'> | null;
  readonly failure: string | null;
  readonly isChanged: boolean;
  readonly isGone: boolean;
  readonly lines: readonly DiffLine[];
  readonly settings: readonly { readonly name: string; readonly before: unknown; readonly after: unknown }[];
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
    const before = await readBefore(database, set, item);
    views.push(toView(item, { document, conflict, before }));
  }
  return views;
}

interface Facts {
  readonly document: DocumentRecord | undefined;
  readonly conflict: ChangeConflict | undefined;
  /** The text of the document without the change. */
  readonly before: string;
}

function toView({ change, base }: ChangeItem, { document, conflict, before }: Facts): ItemView {
  const status = document === undefined || document.status === 'deleted' ? null : document.status;
  const view = {
    status,
    failure: document?.failure?.reason ?? null,
    isChanged: conflict !== undefined && !conflict.isGone,
    isGone: conflict?.isGone ?? false,
    settings: [],
  };
  switch (change.kind) {
    case 'document_new':
      return { ...view, name: change.title, lines: diffText('', change.content) };
    case 'document_content': {
      const name = change.title ?? base.document?.title ?? '';
      return {
        ...view,
        name,
        lines: diffText(withoutTitle(before, name), withoutTitle(change.content, name)),
      };
    }
    case 'document_removed': {
      const name = base.document?.title ?? '';
      return { ...view, name, lines: diffText(withoutTitle(before, name), '') };
    }
    case 'settings': {
      const settings = Object.entries(change.settings).map(([name, after]) => ({
        ...{ name, before: base.settings?.[name] ?? null, after: after ?? null },
      }));
      return { ...view, name: '', lines: [], settings };
    }
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
