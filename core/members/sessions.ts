import type { Kysely } from 'kysely';
import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Membership } from './authority.ts';
import type { Person } from './members.ts';

/** How a person proved who they are, the weakest first. */
const proofSchema = z.enum(['provider', 'password', 'second_factor', 'passkey']);
type Proof = z.output<typeof proofSchema>;

/** The column has null for a password alone. */
export const storedProofSchema = proofSchema.nullish().transform((proof): Proof => proof ?? 'password');

/** The proof of a person that a session carries. */
export interface SessionProof {
  readonly proof: Proof;
  /** When the person proved who they are: at the sign-in, or later. Null: not known. */
  readonly provenAt: Date | null;
  /** The owner whose provider the person signed in at. Null: they signed in here. */
  readonly ownerId: string | null;
}

/** How old a proof may be for what cannot be undone. */
const FRESH_MS = 10 * 60_000;

/** Returns true if the person proved here, and not at a provider, who they are, at most ten minutes ago. */
export function isFreshlyProven({ provenAt, ownerId }: SessionProof, now: Date): boolean {
  return ownerId === null && provenAt !== null && now.getTime() - provenAt.getTime() <= FRESH_MS;
}

interface SignedInPerson {
  readonly person: Person;
  readonly memberships: readonly Membership[];
}

/**
 * Returns what a session opens. A sign-in at an owner's provider opens the workspaces of that owner and nothing else,
 * because the provider's operator can sign in as anybody. An owner that requires its provider is open to other
 * sessions only if they are of an owner with a passkey or a second factor.
 */
export function limitToSession(
  { person, memberships }: SignedInPerson,
  { proof, ownerId }: Pick<SessionProof, 'proof' | 'ownerId'>,
): SignedInPerson {
  if (ownerId !== null) {
    return {
      person: { ...person, isOperator: false },
      memberships: memberships.filter((membership) => membership.ownerId === ownerId),
    };
  }
  const isStrong = proof === 'passkey' || proof === 'second_factor';
  const open = memberships.filter(
    ({ requiresProvider, role }) => !requiresProvider || (isStrong && role === 'owner'),
  );
  return { person, memberships: open };
}

/** Notes how and when the person of a session proved who they are. */
export async function setSessionProof(
  database: Kysely<Tables>,
  id: string,
  { proof, provenAt }: Pick<SessionProof, 'proof' | 'provenAt'>,
): Promise<void> {
  await database
    .updateTable('person_session')
    .set({ method: proof === 'password' ? null : proof, proven_at: provenAt })
    .where('id', '=', id)
    .execute();
}

/** A sign-in of a person in one browser, without its token. */
export interface PersonSession {
  readonly id: string;
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly createdAt: Date;
  /** The time of the last request, at most a quarter of an hour too early. */
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

/** Returns the proof of a session that has not ended, without extending it. Null if it has. */
export async function findSessionProof(
  database: Kysely<Tables>,
  { personId, id, now }: SessionOf,
): Promise<SessionProof | null> {
  const row = await database
    .selectFrom('person_session')
    .select(['method', 'proven_at', 'owner_id'])
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { proof: storedProofSchema.parse(row.method), provenAt: row.proven_at, ownerId: row.owner_id };
}
