import { z } from 'zod';
import type { AuditEntry } from '../../core/audit/audit-log.ts';

/** One change of a conversation or of a workspace. */
export const auditEntrySchema = z
  .object({
    id: z.string(),
    action: z.string().meta({
      description:
        'For example status_changed, tags_changed, note_added, deleted, person_erased or secret_rotated.',
    }),
    actor: z
      .string()
      .meta({ description: 'The name of the person or API key, or visitor, operator, snooze or retention.' }),
    actor_id: z.string().nullable().meta({
      description:
        "The id of the person, which stays when they change their name. Null for API keys, processes and the operator's token.",
    }),
    at: z.iso.datetime(),
    details: z.record(z.string(), z.unknown()).meta({
      description:
        'The change: `from` and `to`, or `fields` with the names of the changed fields. Never contains personal data.',
    }),
  })
  .meta({ id: 'AuditEntry' });

export function presentAuditEntry(entry: AuditEntry): z.output<typeof auditEntrySchema> {
  return {
    id: entry.id,
    action: entry.action,
    actor: entry.actor,
    actor_id: entry.actorId,
    at: entry.at.toISOString(),
    details: { ...entry.details },
  };
}

/** An entry in the log of a workspace. */
export const workspaceAuditEntrySchema = auditEntrySchema
  .extend({
    conversation_id: z
      .string()
      .nullable()
      .meta({ description: 'Null for an entry about the whole workspace or its owner.' }),
  })
  .meta({ id: 'WorkspaceAuditEntry' });

export function presentWorkspaceAuditEntry(entry: AuditEntry): z.output<typeof workspaceAuditEntrySchema> {
  return { ...presentAuditEntry(entry), conversation_id: entry.conversationId };
}
