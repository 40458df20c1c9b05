import type { z } from 'zod';
import type { ConversationChange } from '../../../core/conversations/change-request.ts';
import { AppError } from '../../../core/errors.ts';
import type { changeBodySchema } from './change-body-schema.ts';
import { readNote } from './read-note.ts';

/** A change in the words of the core. Throws `missing_field` for one of nothing, and for a snooze without an end. */
export function readChange(body: z.output<typeof changeBodySchema>): ConversationChange {
  const change = {
    status: body.status,
    snoozeUntil: body.snooze_until ?? undefined,
    tags: body.tags,
    priority: body.priority,
    customer: body.customer,
    notes: body.internal_notes?.map(readNote),
  };
  if (Object.values(change).every((part) => part === undefined)) {
    const detail = 'One of status, tags, priority, internal_notes, customer and snooze_until is required.';
    throw new AppError('missing_field', { detail });
  }
  if (change.status === 'snoozed' && change.snoozeUntil === undefined) {
    throw new AppError('missing_field', { detail: 'snooze_until is required for the status snoozed.' });
  }
  return change;
}
