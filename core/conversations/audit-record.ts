import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../storage/tables.ts';

/** One change of a conversation: what was done, by whom, and what from and to. */
export interface AuditRecord {
  readonly id: string;
  readonly action: string;
  readonly actor: string;
  readonly at: Date;
  readonly details: Readonly<Record<string, unknown>>;
}

const detailsSchema = z.record(z.string(), z.unknown());

export function auditOf(row: Selectable<Tables['audit_entry']>): AuditRecord {
  return {
    id: row.id,
    action: row.action,
    actor: row.actor,
    at: row.at,
    details: detailsSchema.parse(row.details),
  };
}
