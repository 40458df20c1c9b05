import { randomBytes } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { writeAuditEntries } from '../audit/audit-log.ts';
import { type Actor, operatorActor } from '../contract/actor.ts';
import { batchRows, type TaskContext } from '../storage/maintenance-task.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { SealedPlace, SecretBox } from './secret-box.ts';

/** Grace period of a previous secret in seconds: default and maximum. */
export const graceSeconds = { usual: 86_400, most: 604_800 } as const;

export interface Rotation {
  /** 0 invalidates the previous secret at once. */
  readonly graceSeconds: number;
  /** The actor for the audit log; the operator if absent. */
  readonly actor?: Actor | undefined;
}

/** The result of a rotation. The secret is only returned here. */
export interface Rotated {
  readonly secret: string;
  /** End of the previous secret's validity. */
  readonly previousValidUntil: Date;
}

/** A secret and its predecessor in one row. The predecessor is in the column `previous_…`. */
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

/** Returns the currently valid secrets, the current one first. */
export function openSecrets(
  secretBox: SecretBox,
  pair: SealedPair,
  { current, previous, previousUntil, now }: SealedSecrets & { readonly now: Date },
): readonly [string, ...string[]] {
  const opened = secretBox.open(current, pair);
  if (previous === null || previousUntil === null || previousUntil <= now) return [opened];
  return [opened, secretBox.open(previous, previousPlace(pair))];
}

/**
 * Seals `secret` in place of `current`, which becomes the predecessor. An earlier predecessor becomes invalid.
 */
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
  const keepsPrevious = grace.graceSeconds > 0;
  return {
    secret,
    previousValidUntil,
    current: secretBox.seal(secret, pair),
    previous: keepsPrevious ? secretBox.seal(secretBox.open(current, pair), previousPlace(pair)) : null,
    previousUntil: keepsPrevious ? previousValidUntil : null,
  };
}

export function endOfGrace({ graceSeconds: seconds, now }: Rotation & { readonly now: Date }): Date {
  return new Date(now.getTime() + seconds * 1_000);
}

/** Returns the end of a running grace period, or null if there is none. */
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

/**
 * Replaces the signing secret of one row and writes an audit entry. Returns null if the workspace has no such
 * row.
 */
export function rotateSigningSecret({
  database,
  secretBox,
  table,
  workspaceId,
  id,
  secret,
  graceSeconds: seconds,
  actor,
  now,
}: SigningSecret): Promise<Rotated | null> {
  return database.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom(table)
      .select('secret_encrypted')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('restorable_until', 'is', null)
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
    await noteRotation(transaction, { workspaceId, kind, id, at: now, actor, previousValidUntil });
    return rotated;
  });
}

interface RotationEntry {
  readonly workspaceId: string;
  readonly kind: 'identity_secret' | 'public_token' | 'webhook' | 'skill' | 'key' | 'channel';
  /** Id of the resource, if the secret does not belong to the workspace itself. */
  readonly id?: string;
  readonly at: Date;
  readonly actor?: Actor | undefined;
  readonly previousValidUntil: Date;
}

/** Writes a rotation to the workspace's audit log in the same transaction. Never contains the secret. */
export async function noteRotation(
  transaction: Transaction<Tables>,
  { workspaceId, kind, id, at, actor = operatorActor, previousValidUntil }: RotationEntry,
): Promise<void> {
  const details = { secret: kind, ...(id !== undefined && { id }), previous_valid_until: previousValidUntil };
  const change = { action: 'secret_rotated', details } as const;
  await writeAuditEntries(transaction, { id: null, workspaceId, actor, at }, [change]);
}

function previousPlace({ table, column, id }: SealedPair): SealedPlace {
  return { table, column: `previous_${column}`, id };
}

/**
 * Generates a token that opens a widget. It is visible in browsers and so no secret, but it cannot be guessed.
 */
export function newPublicToken(): string {
  return `pub_${randomBytes(18).toString('base64url')}`;
}

/** Generates a token and returns the columns that store it together with its predecessor `current`. */
export function rotateToken(current: string, grace: Rotation & { readonly now: Date }) {
  const secret = newPublicToken();
  const previousValidUntil = endOfGrace(grace);
  const keepsPrevious = grace.graceSeconds > 0;
  return {
    secret,
    previousValidUntil,
    columns: {
      public_token: secret,
      previous_public_token: keepsPrevious ? current : null,
      previous_public_token_until: keepsPrevious ? previousValidUntil : null,
    },
  } satisfies Rotated & { readonly columns: object };
}

const previousSecretColumns = [
  {
    table: 'workspace',
    column: 'previous_identity_secret_encrypted',
    until: 'previous_identity_secret_until',
  },
  { table: 'workspace', column: 'previous_public_token', until: 'previous_public_token_until' },
  { table: 'channel', column: 'previous_public_token', until: 'previous_public_token_until' },
  { table: 'webhook', column: 'previous_secret_encrypted', until: 'previous_secret_until' },
  { table: 'http_skill', column: 'previous_secret_encrypted', until: 'previous_secret_until' },
  { table: 'api_key', column: 'previous_key_hash', until: 'previous_key_until' },
] as const;

/**
 * Clears the columns of rotated secrets whose grace period has ended. They are already rejected before that.
 */
export async function forgetPreviousSecrets({ transaction, now }: TaskContext): Promise<number> {
  let maxRows = 0;
  for (const { table, column, until } of previousSecretColumns) {
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = null, ${sql.ref(until)} = null
      where id in (select id from ${sql.table(table)} where ${sql.ref(until)} <= ${now} limit ${batchRows})
    `.execute(transaction);
    maxRows = Math.max(maxRows, Number(numAffectedRows));
  }
  return maxRows;
}
