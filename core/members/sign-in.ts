import { createHash, randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { loadOnce } from '../async.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { ResolveTxt } from '../identity/domain-proofs.ts';
import { newId } from '../ids.ts';
import type { Logger } from '../log.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { SecretBox } from '../workspaces/secret-box.ts';
import { assertStrongPassword } from './password.ts';
import { type SessionProof, sessionMethodSchema } from './sessions.ts';
import { auditPerson } from './sign-in-audit.ts';
import type { SignInLibrary } from './sign-in-library.ts';
import { SignInProviders } from './sign-in-providers.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly log: Logger;
  readonly publicUrl: string | undefined;
  readonly resolveTxt: ResolveTxt;
}

/** The header in which the server tells the library the client's address. */
export const addressHeader = 'x-client-address';

/** Where the library's own routes are. */
export const authPath = '/dashboard/auth';

/** A session that a cookie names. */
export interface Session extends SessionProof {
  readonly id: string;
  readonly personId: string;
  /** Cookies to send with the response, because the session was extended. */
  readonly cookies: readonly string[];
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** A session ends after 30 days, however often it was used. */
const MAX_SESSION_MS = 30 * 24 * 3_600_000;

/** Failed passwords that an account may have before it must wait. */
const FREE_FAILURES = 5;
const FIRST_WAIT_MS = 30_000;
const MAX_WAIT_MS = 3_600_000;

/**
 * Passwords, passkeys, second factors and sessions of people. The sign-in library (better-auth) does the work; it is loaded
 * when the first browser comes.
 */
export class SignIn {
  readonly #dependencies: Dependencies;
  readonly #load: () => Promise<SignInLibrary>;
  /** The identity providers of owners. */
  readonly providers: SignInProviders;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.providers = new SignInProviders(dependencies);
    this.#load = loadOnce(async () => {
      const { openLibrary } = await import('./sign-in-library.ts');
      const { database, log, publicUrl } = dependencies;
      const secret = await this.#signInKey();
      return openLibrary({
        database,
        log,
        publicUrl,
        secret,
        addressHeader,
        authPath,
        newId: () => newId('per'),
      });
    });
  }

  /** Answers a request to one of the library's own routes. */
  async handle(request: Request): Promise<Response> {
    return (await this.#load()).handler(request);
  }

  /** Null if the headers name no session, or one that has ended. */
  async findSession(headers: Headers): Promise<Session | null> {
    const library = await this.#load();
    const { response, headers: sent } = await library.api.getSession({ headers, returnHeaders: true });
    if (response === null) return null;
    const { session } = response;
    if (session.createdAt.getTime() + MAX_SESSION_MS < this.#dependencies.clock.now().getTime()) {
      await this.#dependencies.database.deleteFrom('person_session').where('id', '=', session.id).execute();
      return null;
    }
    const { id, userId: personId, method, ownerId = null } = session;
    const known = sessionMethodSchema.nullish().parse(method) ?? null;
    return { id, personId, cookies: sent.getSetCookie(), method: known, ownerId };
  }

  /** Signs in somebody whom the provider of an owner knows, and returns the cookies of the session. */
  async startProviderSession(
    headers: Headers,
    body: { readonly personId: string; readonly ownerId: string },
  ): Promise<readonly string[]> {
    const library = await this.#load();
    const started = await library.api.startProviderSession({ body, headers, returnHeaders: true });
    return started.headers.getSetCookie();
  }

  /** Signs in with a password and returns the cookies of the session. */
  async startSession(headers: Headers, { email, password }: Credentials): Promise<readonly string[]> {
    const library = await this.#load();
    const started = await library.api.signInEmail({
      body: { email, password },
      headers,
      returnHeaders: true,
    });
    return started.headers.getSetCookie();
  }

  /** Throws `weak_password`. Takes a fifth of a second in a thread of its own: do it before a transaction begins. */
  async hashPassword(password: string, email: string): Promise<string> {
    assertStrongPassword(password, email);
    const { hashPassword } = await import('better-auth/crypto');
    return hashPassword(password);
  }

  /**
   * Runs one attempt with a password. It counts as failed until it has ended, so that attempts sent together cannot pass the
   * limit together. After five failures of an address, known or not, each further one must wait, twice as long each time.
   * Throws `rate_limit_minute`.
   */
  async limitAttempts(email: string, attempt: () => Promise<Response>): Promise<Response> {
    const { database, clock } = this.#dependencies;
    const emailHash = createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
    const now = clock.now();
    const failures = await this.#countAttempt(emailHash, now);
    const response = await attempt();
    if (response.status !== 401) {
      const ended = database.deleteFrom('sign_in_failure').where('email_hash', '=', emailHash);
      // An attempt that reached no password says nothing about it.
      await (response.ok ? ended.execute() : this.#takeBack(emailHash));
      return response;
    }
    // Not each one: further ones wait, so that nobody can fill the log.
    if (failures === 1 || failures >= FREE_FAILURES) await this.#auditFailure(email, { at: now, failures });
    return response;
  }

  /** Returns the number of attempts with this one. One statement decides whether it may run. */
  async #countAttempt(email_hash: string, now: Date): Promise<number> {
    const { database } = this.#dependencies;
    const waits = sql<number>`least(${MAX_WAIT_MS}::float8, ${FIRST_WAIT_MS} * power(2, least(sign_in_failure.failures + 1 - ${FREE_FAILURES}, 10)))`;
    const counted = await database
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
    const row = await database
      .selectFrom('sign_in_failure')
      .select('locked_until')
      .where('email_hash', '=', email_hash)
      .executeTakeFirst();
    const waitMs = (row?.locked_until?.getTime() ?? 0) - now.getTime();
    throw new AppError('rate_limit_minute', {
      detail: 'Too many failed attempts with this email address. Wait, then try again.',
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    });
  }

  async #takeBack(emailHash: string): Promise<void> {
    await this.#dependencies.database
      .updateTable('sign_in_failure')
      .set({ failures: sql<number>`failures - 1`, locked_until: null })
      .where('email_hash', '=', emailHash)
      .where('failures', '>', 0)
      .execute();
  }

  async #auditFailure(email: string, { at, failures }: { readonly at: Date; readonly failures: number }) {
    const { database } = this.#dependencies;
    const person = await database
      .selectFrom('person')
      .select('id')
      .where('email', '=', email.trim().toLowerCase())
      .executeTakeFirst();
    if (person === undefined) return;
    await auditPerson(
      database,
      { personId: person.id, at },
      { action: 'sign_in_failed', details: { failures } },
    );
  }

  /** Created with the first sign-in. It is resealed with the other secrets when the encryption key changes. */
  async #signInKey(): Promise<string> {
    const { database, secretBox } = this.#dependencies;
    const place = { table: 'sign_in_key', column: 'secret_encrypted', id: 'current' } as const;
    await database
      .insertInto('sign_in_key')
      .values({ id: place.id, secret_encrypted: secretBox.seal(randomBytes(32).toString('hex'), place) })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    const row = await database
      .selectFrom('sign_in_key')
      .select('secret_encrypted')
      .where('id', '=', place.id)
      .executeTakeFirstOrThrow();
    return secretBox.open(row.secret_encrypted, place);
  }
}
