import type { Kysely } from 'kysely';
import { AppError } from '../errors.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** A sign-in of a person in one browser, without its token. */
export interface PersonSession {
  readonly id: string;
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly createdAt: Date;
  /** At most a quarter of an hour before the last request. */
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

interface SessionsOf {
  readonly personId: string;
  readonly now: Date;
}

/** Returns the sessions of a person that have not ended, latest first. */
export async function listSessions(
  database: Kysely<Tables>,
  { personId, now }: SessionsOf,
): Promise<readonly PersonSession[]> {
  const rows = await database
    .selectFrom('person_session')
    .select(['id', 'user_agent', 'ip_address', 'created_at', 'updated_at', 'expires_at'])
    .where('person_id', '=', personId)
    .where('expires_at', '>', now)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    userAgent: row.user_agent,
    address: row.ip_address,
    createdAt: row.created_at,
    lastUsedAt: row.updated_at,
    expiresAt: row.expires_at,
  }));
}

/** Ends one session of a person. Throws `session_not_found`. */
export async function endSession(
  database: Kysely<Tables>,
  { personId, id }: { readonly personId: string; readonly id: string },
): Promise<void> {
  const deleted = await database
    .deleteFrom('person_session')
    .where('person_id', '=', personId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (deleted.numDeletedRows === 0n) throw new AppError('session_not_found');
}

interface SessionOf extends SessionsOf {
  readonly id: string;
}

/** Returns whether the session of the person has not ended. Does not extend it. */
export async function isLiveSession(
  database: Kysely<Tables>,
  { personId, id, now }: SessionOf,
): Promise<boolean> {
  const row = await database
    .selectFrom('person_session')
    .select('id')
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}
