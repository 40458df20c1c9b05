import type { Kysely } from 'kysely';
import { type AuditChange, writeOwnerAudit } from '../audit/audit-log.ts';
import type { Actor } from '../contract/actor.ts';
import type { Tables } from '../storage/tables/tables.ts';

interface AuditedPerson {
  readonly personId: string;
  readonly at: Date;
  /** Absent: the person themselves. */
  readonly actor?: Actor;
}

/** Adds an entry about the sign-in of a person to the audit log of each owner whose member they are. */
export async function auditPerson(
  database: Kysely<Tables>,
  { personId, at, actor }: AuditedPerson,
  { action, details }: AuditChange,
): Promise<void> {
  const rows = await database
    .selectFrom('membership')
    .innerJoin('person', 'person.id', 'membership.person_id')
    .select(['owner_id', 'name'])
    .where('person.id', '=', personId)
    .execute();
  const [first] = rows;
  if (first === undefined) return;
  const entry = {
    ownerIds: rows.map(({ owner_id }) => owner_id),
    actor: actor ?? { id: personId, name: first.name },
    at,
  };
  await writeOwnerAudit(database, entry, { action, details: { person: personId, ...details } });
}
