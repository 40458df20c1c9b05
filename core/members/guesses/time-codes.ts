import { createOTP } from '@better-auth/utils/otp';
import { type SecretConfig, symmetricDecrypt } from 'better-auth/crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';

interface UsedCode {
  readonly personId: string;
  /** A code that the library has just accepted. */
  readonly code: string;
  readonly now: Date;
}

const STEP_MS = 30_000;
/** The library accepts the code before and after the present one, and a step may have begun since it looked. */
const NEAR_STEPS = [-2, -1, 0, 1, 2];

/**
 * Uses up an accepted code of a second factor (RFC 6238, 5.2). Returns false if it, or a later one, was used before: of two
 * requests with the same code one gets true. Importing this file loads the sign-in library.
 */
export async function useTimeCode(
  database: Kysely<Tables>,
  key: string | SecretConfig,
  { personId, code, now }: UsedCode,
): Promise<boolean> {
  const row = await database
    .selectFrom('person_two_factor')
    .select(['id', 'secret'])
    .where('person_id', '=', personId)
    .executeTakeFirst();
  if (row === undefined) return false;
  const otp = createOTP(await symmetricDecrypt({ key, data: row.secret }));
  const present = Math.floor(now.getTime() / STEP_MS);
  for (const distance of NEAR_STEPS) {
    const step = String(present + distance);
    if ((await otp.hotp(present + distance)) !== code) continue;
    const used = await database
      .updateTable('person_two_factor')
      .set({ last_step: step })
      .where('id', '=', row.id)
      .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
      .executeTakeFirst();
    if (used.numUpdatedRows > 0n) return true;
  }
  return false;
}
