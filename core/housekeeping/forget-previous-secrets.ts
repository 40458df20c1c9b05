import { sql } from 'kysely';
import { batchRows, type TaskContext } from './task.ts';

const previous = [
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

/** Empties the columns of secrets whose grace period after a rotation has ended: they work no longer before that. */
export async function forgetPreviousSecrets({ transaction, now }: TaskContext): Promise<number> {
  let most = 0;
  for (const { table, column, until } of previous) {
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = null, ${sql.ref(until)} = null
      where id in (select id from ${sql.table(table)} where ${sql.ref(until)} <= ${now} limit ${batchRows})
    `.execute(transaction);
    most = Math.max(most, Number(numAffectedRows));
  }
  return most;
}
