import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Tables } from '../../storage/tables/tables.ts';

/** Failed attempts before the next one must wait. */
const FREE_FAILURES = 5;
const FIRST_WAIT_MS = 30_000;
const MAX_WAIT_MS = 3_600_000;

/** An attempt with a password or a code. */
interface Attempt {
  /** An address, a browser or a person that failures count against. Only its hash is stored. */
  readonly subject: string;
  readonly run: () => Promise<Response>;
  /** Called with the failures in a row, but not for each one: nobody can fill the audit log. */
  readonly onFailure?: (failures: number) => Promise<void>;
}

/** Makes guesses of a password or code wait: after five failures in a row, twice as long for each further one. */
export class AttemptLimit {
  readonly #database: Kysely<Tables>;
  readonly #clock: Clock;

  constructor({ database, clock }: { readonly database: Kysely<Tables>; readonly clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Runs one attempt. It counts as failed until it has ended, so that attempts sent together cannot pass the limit together.
   * Throws `rate_limit_minute`.
   */
  async run({ subject, run, onFailure }: Attempt): Promise<Response> {
    const hash = createHash('sha256').update(subject).digest('hex');
    const failures = await this.#count(hash);
    let response: Response;
    try {
      response = await run();
    } catch (error) {
      await this.#takeBack(hash);
      throw error;
    }
    if (await isWrongAnswer(response)) {
      if (failures === 1 || failures >= FREE_FAILURES) await onFailure?.(failures);
    } else if (response.ok) {
      await this.#database.deleteFrom('sign_in_failure').where('email_hash', '=', hash).execute();
    } else {
      // An attempt that reached no password says nothing about it.
      await this.#takeBack(hash);
    }
    return response;
  }

  /** Returns the number of attempts with this one. One statement decides whether it may run. */
  async #count(email_hash: string): Promise<number> {
    const now = this.#clock.now();
    const waits = sql<number>`least(${MAX_WAIT_MS}::float8, ${FIRST_WAIT_MS} * power(2, least(sign_in_failure.failures + 1 - ${FREE_FAILURES}, 10)))`;
    const counted = await this.#database
      .insertInto('sign_in_failure')
      .values({ email_hash, failures: 1, updated_at: now })
      .onConflict((conflict) =>
        conflict
          .column('email_hash')
          .doUpdateSet({
            failures: sql<number>`sign_in_failure.failures + 1`,
            locked_until: sql<Date | null>`case when sign_in_failure.failures + 1 >= ${FREE_FAILURES}
              then ${now}::timestamptz + ${waits} * interval '1 millisecond' end`,
            updated_at: now,
          })
          .where((where) =>
            where.or([
              where('sign_in_failure.locked_until', 'is', null),
              where('sign_in_failure.locked_until', '<=', now),
            ]),
          ),
      )
      .returning('failures')
      .executeTakeFirst();
    if (counted !== undefined) return counted.failures;
    const row = await this.#database
      .selectFrom('sign_in_failure')
      .select('locked_until')
      .where('email_hash', '=', email_hash)
      .executeTakeFirst();
    const waitMs = (row?.locked_until?.getTime() ?? 0) - now.getTime();
    throw new AppError('rate_limit_minute', {
      detail: 'Too many failed attempts. Wait, then try again.',
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    });
  }

  async #takeBack(emailHash: string): Promise<void> {
    await this.#database
      .updateTable('sign_in_failure')
      .set({ failures: sql<number>`failures - 1`, locked_until: null })
      .where('email_hash', '=', emailHash)
      .where('failures', '>', 0)
      .execute();
  }
}

/** The library answers 401 to wrong passwords and codes, and 400 to a wrong password of a person who is signed in. */
async function isWrongAnswer(response: Response): Promise<boolean> {
  if (response.status === 401) return true;
  return response.status === 400 && (await response.clone().text()).includes('"INVALID_PASSWORD"');
}
