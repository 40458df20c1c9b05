import { z } from 'zod';
import { draftActionsSchema, type InboxDraft } from '../../core/conversations/drafts.ts';

const time = z.iso.datetime();

/** A text that a person has not sent yet. */
export const draftSchema = z
  .object({
    kind: z.enum(['reply', 'note']),
    content: z.string(),
    actions: draftActionsSchema.nullable().meta({ description: 'Changes that go with it, by snippets.' }),
    updated_at: time.meta({ description: 'Its version: each save moves it.' }),
    other: z
      .object({ content: z.string(), actions: draftActionsSchema.nullable(), saved_at: time })
      .nullable()
      .meta({ description: 'The text of another device of the caller, which did not know this version.' }),
  })
  .meta({ id: 'InboxDraft' });

export function presentDraft({ updatedAt, other, ...draft }: InboxDraft): z.output<typeof draftSchema> {
  const beside = other && {
    content: other.content,
    actions: other.actions,
    saved_at: other.savedAt.toISOString(),
  };
  return { ...draft, updated_at: updatedAt.toISOString(), other: beside };
}
