import { randomBytes } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { writeAuditEntries } from '../conversations/audit-log.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { SealedPlace, SecretBox } from './secret-box.ts';

/** How long the former secret goes on working, in seconds. */
export const graceSeconds = { usual: 86_400, most: 604_800 } as const;

export interface Rotation {
  /** 0: the former secret ends at once. */
  readonly graceSeconds: number;
}

/** What a rotation answers. The secret is nowhere else. */
export interface Rotated {
  readonly secret: string;
  /** When the former secret ends, or ended. */
  readonly previousValidUntil: Date;
}

/** A secret and its predecessor in one row; the predecessor is in the column `previous_…`. */
interface SealedPair {
  readonly table: SealedPlace['table'];
  readonly column: 'secret_encrypted' | 'identity_secret_encrypted';
  readonly id: string;
}

interface SealedSecrets {
  readonly current: string;
  readonly previous: string | null;
  readonly previousUntil: Date | null;
}

/** The secrets that work now, the current one first. */
export function openSecrets(
  secretBox: SecretBox,
  pair: SealedPair,
  { current, previous, previousUntil, now }: SealedSecrets & { readonly now: Date },
): readonly [string, ...string[]] {
  const opened = secretBox.open(current, pair);
  if (previous === null || previousUntil === null || previousUntil <= now) return [opened];
  return [opened, secretBox.open(previous, previousPlace(pair))];
}

/** Seals `secret` in the place of `current`, which becomes the predecessor: an earlier one ends. */
export function rotateSealed(
  secretBox: SecretBox,
  pair: SealedPair,
  {
    current,
    secret,
    ...grace
  }: Rotation & { readonly current: string; readonly secret: string; readonly now: Date },
): SealedSecrets & Rotated {
  const previousValidUntil = endOfGrace(grace);
  const isKept = grace.graceSeconds > 0;
  return {
    secret,
    previousValidUntil,
    current: secretBox.seal(secret, pair),
    previous: isKept ? secretBox.seal(secretBox.open(current, pair), previousPlace(pair)) : null,
    previousUntil: isKept ? previousValidUntil : null,
  };
}

export function endOfGrace({ graceSeconds: seconds, now }: Rotation & { readonly now: Date }): Date {
  return new Date(now.getTime() + seconds * 1_000);
}

/** The end of a grace period that goes on; null where none does. */
export function runningGrace(until: Date | null, now: Date): Date | null {
  return until !== null && until > now ? until : null;
}

interface SigningSecret extends Rotation {
  readonly database: Kysely<Tables>;
  readonly secretBox: SecretBox;
  readonly table: 'webhook' | 'http_skill';
  readonly workspaceId: string;
  readonly id: string;
  readonly secret: string;
  readonly now: Date;
}

/** Replaces the signing secret of one row and notes that in the audit log. Null where the workspace has no such row. */
export function rotateSigningSecret({
  database,
  secretBox,
  table,
  workspaceId,
  id,
  secret,
  graceSeconds: seconds,
  now,
}: SigningSecret): Promise<Rotated | null> {
  return database.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom(table)
      .select('secret_encrypted')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (row === undefined) return null;
    const rotated = rotateSealed(
      secretBox,
      { table, column: 'secret_encrypted', id },
      { current: row.secret_encrypted, secret, graceSeconds: seconds, now },
    );
    await transaction
      .updateTable(table)
      .set({
        secret_encrypted: rotated.current,
        previous_secret_encrypted: rotated.previous,
        previous_secret_until: rotated.previousUntil,
      })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute();
    const kind = table === 'webhook' ? 'webhook' : 'skill';
    const { previousValidUntil } = rotated;
    await noteRotation(transaction, { workspaceId, kind, id, at: now, previousValidUntil });
    return rotated;
  });
}

interface NotedRotation {
  readonly workspaceId: string;
  readonly kind: 'identity_secret' | 'public_token' | 'webhook' | 'skill' | 'key' | 'channel';
  /** Of what has the secret, where that is not the workspace itself. */
  readonly id?: string;
  readonly at: Date;
  readonly previousValidUntil: Date;
}

/** Writes a rotation into the audit log of the workspace, in its own transaction; never a value. */
export async function noteRotation(
  transaction: Transaction<Tables>,
  { workspaceId, kind, id, at, previousValidUntil }: NotedRotation,
): Promise<void> {
  const details = { secret: kind, ...(id !== undefined && { id }), previous_valid_until: previousValidUntil };
  const change = { action: 'secret_rotated', details } as const;
  await writeAuditEntries(transaction, { id: null, workspaceId, actor: 'operator', at }, [change]);
}

function previousPlace({ table, column, id }: SealedPair): SealedPlace {
  return { table, column: `previous_${column}`, id };
}

/** Opens a widget: browsers carry it, so it is no secret, but nobody guesses it. */
export function newPublicToken(): string {
  return `pub_${randomBytes(18).toString('base64url')}`;
}

/** A new token with what the row is to hold of it and of `current`, its predecessor. */
export function rotateToken(current: string, grace: Rotation & { readonly now: Date }) {
  const secret = newPublicToken();
  const previousValidUntil = endOfGrace(grace);
  const isKept = grace.graceSeconds > 0;
  return {
    secret,
    previousValidUntil,
    columns: {
      public_token: secret,
      previous_public_token: isKept ? current : null,
      previous_public_token_until: isKept ? previousValidUntil : null,
    },
  } satisfies Rotated & { readonly columns: object };
}
