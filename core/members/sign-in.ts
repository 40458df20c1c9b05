import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { loadOnce } from '../base/async.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { AttemptLimit } from './guesses/attempt-limit.ts';
import { type BrowserCookie, findKnownBrowser, issueKnownBrowser } from './guesses/known-browser.ts';
import type { ResolveTxt } from './identity/domain-proofs.ts';
import { assertStrongPassword } from './password.ts';
import { type SessionProof, storedProofSchema } from './sessions.ts';
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

interface SignInAttempt {
  readonly email: string;
  /** From `findKnownBrowser`. */
  readonly browser: string | null;
}

/** A session ends after 30 days, however often it was used. */
const MAX_SESSION_MS = 30 * 24 * 3_600_000;

/**
 * Passwords, passkeys, second factors and sessions of people. The sign-in library (better-auth) does the work; it is loaded
 * when the first browser comes.
 */
export class SignIn {
  readonly #dependencies: Dependencies;
  readonly #load: () => Promise<SignInLibrary>;
  readonly #loadKey: () => Promise<string>;
  readonly #attempts: AttemptLimit;
  /** The identity providers of owners. */
  readonly providers: SignInProviders;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.providers = new SignInProviders(dependencies);
    this.#attempts = new AttemptLimit(dependencies);
    this.#loadKey = loadOnce(() => this.#signInKey());
    this.#load = loadOnce(async () => {
      const { openLibrary } = await import('./sign-in-library.ts');
      const { database, log, publicUrl } = dependencies;
      const secret = await this.#loadKey();
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
    const { id, userId: personId, ownerId = null, provenAt = null } = session;
    const proof = storedProofSchema.parse(session.proof);
    return { id, personId, cookies: sent.getSetCookie(), proof, ownerId, provenAt };
  }

  /** Signs in somebody whom the provider of an owner knows, and returns the cookies of the session. */
  async startProviderSession(
    headers: Headers,
    body: { readonly personId: string; readonly ownerId: string },
  ): Promise<readonly string[]> {
    const library = await this.#load();
    const provenAt = this.#dependencies.clock.now();
    const started = await library.api.startProviderSession({
      body: { ...body, provenAt },
      headers,
      returnHeaders: true,
    });
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

  /** Throws `weak_password`. It takes a fifth of a second in a thread of its own: do it before a transaction begins. */
  async hashPassword(password: string, email: string): Promise<string> {
    assertStrongPassword(password, email);
    const { hashPassword } = await import('better-auth/crypto');
    return hashPassword(password);
  }

  /**
   * Runs one attempt with the password of an account, known or unknown. A browser that has signed in to it before has a count
   * of its own, so that strangers cannot lock a person out of it. Throws `rate_limit_minute`.
   */
  async limitAttempts(
    { email, browser }: SignInAttempt,
    attempt: () => Promise<Response>,
  ): Promise<Response> {
    const address = normaliseEmail(email);
    return this.#attempts.run({
      subject: browser === null ? address : `browser ${browser}`,
      run: attempt,
      onFailure: (failures) => this.#auditFailure(address, { at: this.#dependencies.clock.now(), failures }),
    });
  }

  /** Runs one attempt with a password or a code of a person who is signed in. Throws `rate_limit_minute`. */
  async limitProofs(personId: string, attempt: () => Promise<Response>): Promise<Response> {
    return this.#attempts.run({ subject: `person ${personId}`, run: attempt });
  }

  /** Returns the id of this browser if the account has signed in here before, otherwise null. */
  async findKnownBrowser(email: string, cookies: ReadonlyMap<string, string>): Promise<string | null> {
    return findKnownBrowser(await this.#loadKey(), normaliseEmail(email), cookies);
  }

  /** Returns the cookie by which the browser is known to the account later. */
  async issueKnownBrowser(email: string): Promise<BrowserCookie> {
    return issueKnownBrowser(await this.#loadKey(), normaliseEmail(email));
  }

  /** Uses up a code of a second factor that the library has accepted. Returns false if it was used before. */
  async useTimeCode(personId: string, code: string): Promise<boolean> {
    const library = await this.#load();
    const { useTimeCode } = await import('./guesses/time-codes.ts');
    const { secretConfig } = await library.$context;
    // The library checks codes by the system's clock.
    const used = { personId, code, now: systemClock.now() };
    return useTimeCode(this.#dependencies.database, secretConfig, used);
  }

  async #auditFailure(email: string, { at, failures }: { readonly at: Date; readonly failures: number }) {
    const { database } = this.#dependencies;
    const person = await database
      .selectFrom('person')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst();
    if (person === undefined) return;
    await auditPerson(
      database,
      { personId: person.id, at },
      { action: 'sign_in_failed', details: { failures } },
    );
  }

  /**
   * Loads the key, and creates it with the first sign-in. It is resealed with the other secrets when the encryption
   * key changes.
   */
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

function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}
