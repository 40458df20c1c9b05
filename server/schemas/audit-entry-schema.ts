import { z } from 'zod';

/** One change of a conversation. */
export const auditEntrySchema = z
  .object({
    id: z.string(),
    action: z.string().meta({ description: 'Such as status_changed, tags_changed, note_added or deleted.' }),
    actor: z
      .string()
      .meta({ description: 'The API key by name, or visitor, operator, snooze or retention.' }),
    at: z.iso.datetime(),
    details: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Mostly what it was and what it is: from, to.' }),
  })
  .meta({ id: 'AuditEntry' });
