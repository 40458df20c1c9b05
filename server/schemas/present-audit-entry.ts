import type { z } from 'zod';
import type { AuditRecord } from '../../core/conversations/audit-record.ts';
import type { auditEntrySchema } from './audit-entry-schema.ts';

export function presentAuditEntry(entry: AuditRecord): z.output<typeof auditEntrySchema> {
  return {
    id: entry.id,
    action: entry.action,
    actor: entry.actor,
    at: entry.at.toISOString(),
    details: { ...entry.details },
  };
}
