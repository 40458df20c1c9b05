import { z } from 'zod';
import { keptDocumentSchema } from '../knowledge/documents/kept-document.ts';
import { workspaceSettingsChangeSchema } from '../workspaces/workspace-settings.ts';

const title = z.string().trim().min(1).max(500);
const content = z.string().trim().min(1).max(500_000).meta({ description: 'Markdown.' });
const documentId = z.string().min(1).max(100);

/** The settings that a trial can try, because they decide what is answered and how. */
export const stagedSettingsSchema = workspaceSettingsChangeSchema.pick({
  strictness: true,
  model: true,
  answer_from: true,
  maybe_from: true,
  fallback_message: true,
  fallback_messages: true,
  mask_secrets: true,
});

/**
 * The kinds of changes. A new kind needs an entry here, its base and its kept state below, and a branch in stage-item.ts,
 * published-sets.ts and item-views.ts: the compiler names each place.
 */
export const changeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('document_new'),
    title,
    content,
    url: z.url().max(2_000).optional(),
    audience: z.array(z.string().min(1).max(64)).max(50).default([]),
  }),
  z.object({
    kind: z.literal('document_content'),
    document_id: documentId,
    content,
    title: title.optional(),
  }),
  z.object({ kind: z.literal('document_removed'), document_id: documentId }),
  z.object({ kind: z.literal('settings'), settings: stagedSettingsSchema }),
]);
export type Change = z.output<typeof changeSchema>;

const documentState = z.object({
  title: z.string(),
  /** The revision that is wanted, and when the document was changed last: one of them differs after any change. */
  revision: z.int(),
  changed_at: z.string(),
});
export type DocumentState = z.output<typeof documentState>;

const settingValues = z.record(z.string(), z.unknown());

/** The changed thing as it was when the change was staged. Publishing finds it unchanged, or refuses. */
export const baseSchema = z.object({
  document: documentState.optional(),
  settings: settingValues.optional(),
});
export type Base = z.output<typeof baseSchema>;

/** The values that an undo puts back (`document`, `settings`), and those that it must find unchanged (`published`). */
export const keptSchema = z.object({
  document: keptDocumentSchema.optional(),
  settings: settingValues.optional(),
  published: baseSchema,
});
export type Kept = z.output<typeof keptSchema>;

export interface ChangeItem {
  readonly id: string;
  readonly change: Change;
  readonly base: Base;
  /** The document that it changes; of a new one, since it is published. */
  readonly documentId: string | null;
  /** Its document in the hidden workspace. */
  readonly stagedDocumentId: string | null;
  readonly kept: Kept | null;
}

/** Two changes with the same key are of the same thing: the later one replaces the earlier one. Null: of nothing that exists. */
export function changeKey(change: Change): string | null {
  switch (change.kind) {
    case 'document_new':
      return change.url === undefined ? null : `url ${change.url}`;
    case 'document_content':
    case 'document_removed':
      return `document ${change.document_id}`;
    case 'settings':
      return 'settings';
  }
}
