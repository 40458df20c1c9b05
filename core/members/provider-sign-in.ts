import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import * as oidc from 'openid-client';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { FetchError, guardedFetch } from '../base/http-client.ts';
import { newId } from '../base/ids.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { toPersonName } from './identity/names.ts';
import { domainOf, type SignInProvider, type SignInProviders } from './sign-in-providers.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly providers: Pick<SignInProviders, 'open'>;
  /** Also allows providers in private networks, without https. */
  readonly allowPrivate: boolean;
}

const attemptSchema = z.object({
  ownerId: z.string(),
  /** SHA-256 of the cookie of the browser that began. */
  browser: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  startedAt: z.coerce.date(),
  /** The page of the dashboard to go to afterwards. */
  returnTo: z.string(),
  /** The name of the person who tests the provider. Null: a sign-in. */
  tester: z.object({ id: z.string().nullable(), name: z.string() }).nullable(),
});

/** A sign-in at a provider that has begun. It ends once, in the browser in which it began. */
export type Attempt = z.output<typeof attemptSchema>;

interface NewAttempt extends Pick<Attempt, 'ownerId' | 'returnTo' | 'tester'> {
  /** Where the provider sends the browser back to. */
  readonly callback: string;
  /** The cookie of the browser, if it has one from another attempt. */
  readonly browser: string | undefined;
}

/** A person as their provider describes them. */
export interface Identity {
  /** Unique at the issuer, and never given to another person. */
  readonly subject: string;
  /** The address that the provider has verified, in lower case, at one of the domains of the owner. */
  readonly email: string;
  readonly name: string;
}

export interface Return {
  readonly ownerId: string;
  /** The address with its query, as the browser called it. */
  readonly address: URL;
  readonly browser: string | undefined;
}

const LIFETIME_MS = 10 * 60_000;
const MAX_WORDS = 400;

/**
 * Begins a sign-in with an authorization code, PKCE, a state and a nonce. Returns the address of the provider, and the value of
 * the cookie that ties the attempt to the browser. Throws `sign_in_provider_not_found`, also for a disabled provider unless it
 * is tested, and `provider_sign_in_failed` in the words of the provider.
 */
export async function beginProviderSignIn(
  dependencies: Dependencies,
  { ownerId, returnTo, tester, callback, browser: known }: NewAttempt,
): Promise<{ readonly url: string; readonly browser: string }> {
  const { database, clock } = dependencies;
  const { provider, config } = await discover(dependencies, ownerId);
  if (!provider.isEnabled && tester === null) throw new AppError('sign_in_provider_not_found');
  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
  const browser = known ?? randomBytes(24).toString('base64url');
  const startedAt = clock.now();
  const attempt = { ownerId, returnTo, tester, nonce, verifier, startedAt, browser: hash(browser) };
  await database.deleteFrom('person_verification').where('expires_at', '<', startedAt).execute();
  await database
    .insertInto('person_verification')
    .values({
      id: newId('per'),
      identifier: identifierOf(state),
      value: JSON.stringify(attempt),
      expires_at: new Date(startedAt.getTime() + LIFETIME_MS),
    })
    .execute();
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid email profile',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  return { url: url.href, browser };
}

/** Takes the attempt that a browser returns with: it works once. Throws `provider_sign_in_failed`. */
export async function takeAttempt(
  { database, clock }: Dependencies,
  { ownerId, address, browser }: Return,
): Promise<Attempt> {
  const row = await database
    .deleteFrom('person_verification')
    .where('identifier', '=', identifierOf(address.searchParams.get('state') ?? ''))
    .where('expires_at', '>', clock.now())
    .returning('value')
    .executeTakeFirst();
  const attempt = row === undefined ? null : attemptSchema.parse(JSON.parse(row.value));
  if (attempt === null || attempt.ownerId !== ownerId || attempt.browser !== hash(browser ?? '')) {
    throw new AppError('provider_sign_in_failed', {
      detail: 'This sign-in was used already, took too long or began in another browser. Start it again.',
    });
  }
  return attempt;
}

/**
 * Exchanges the code for an ID token, whose signature, issuer, audience, nonce and times are checked, and returns who signed
 * in. Throws `provider_sign_in_failed`, and `sign_in_provider_not_found` if the provider was disabled meanwhile.
 */
export async function finishProviderSignIn(
  dependencies: Dependencies,
  { ownerId, nonce, verifier, tester }: Attempt,
  address: URL,
): Promise<{ readonly provider: SignInProvider; readonly identity: Identity }> {
  const { provider, config } = await discover(dependencies, ownerId);
  if (!provider.isEnabled && tester === null) throw new AppError('sign_in_provider_not_found');
  const claims = await readClaims(config, provider, { nonce, verifier, address });
  const email = claims.email?.trim().toLowerCase();
  if (email === undefined) throw refuse(`${provider.name} gave no email address. Allow it to the client.`);
  if (claims.email_verified === undefined && !provider.trustsAddresses) {
    throw refuse(
      `${provider.name} does not say that it has verified ${email}. An owner can trust its addresses in the settings.`,
    );
  }
  if (claims.email_verified !== undefined && claims.email_verified !== true) {
    throw refuse(`${provider.name} has not verified ${email}.`);
  }
  if (!provider.domains.includes(domainOf(email))) {
    throw refuse(`${email} is not at a domain that may sign in here: ${provider.domains.join(', ')}.`);
  }
  const name = toPersonName(claims.name, email);
  return { provider, identity: { subject: claims.sub, email, name } };
}

const claimsSchema = z.object({
  sub: z.string().min(1).max(500),
  email: z.email().max(320).optional(),
  email_verified: z.unknown().optional(),
  name: z.string().optional(),
});

interface Exchange extends Pick<Attempt, 'nonce' | 'verifier'> {
  readonly address: URL;
}

async function readClaims(
  config: oidc.Configuration,
  { name }: SignInProvider,
  { nonce, verifier, address }: Exchange,
): Promise<z.output<typeof claimsSchema>> {
  try {
    const tokens = await oidc.authorizationCodeGrant(config, address, {
      pkceCodeVerifier: verifier,
      expectedNonce: nonce,
      expectedState: address.searchParams.get('state') ?? '',
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw refuse(`${name} sent no ID token.`);
    if (claims.email !== undefined) return claimsSchema.parse(claims);
    // Some providers tell the address only when they are asked for it.
    return claimsSchema.parse(await oidc.fetchUserInfo(config, tokens.access_token, claims.sub));
  } catch (error) {
    throw describe(error, name);
  }
}

/** Loads the provider's description of itself, whose issuer must be the configured one. */
async function discover(
  { providers, allowPrivate }: Dependencies,
  ownerId: string,
): Promise<{ readonly provider: SignInProvider; readonly config: oidc.Configuration }> {
  const { provider, clientSecret } = await providers.open(ownerId);
  try {
    const config = await oidc.discovery(
      new URL(provider.issuer),
      provider.clientId,
      {},
      sendSecret(clientSecret),
      {
        [oidc.customFetch]: guardedBy(allowPrivate),
        execute: [oidc.enableNonRepudiationChecks, ...(allowPrivate ? [oidc.allowInsecureRequests] : [])],
      },
    );
    return { provider, config };
  } catch (error) {
    throw describe(error, provider.name);
  }
}

/** In the header, as OpenID Connect has it by default, unless the provider takes it in the body only. */
function sendSecret(clientSecret: string): oidc.ClientAuth {
  const [inHeader, inBody] = [oidc.ClientSecretBasic(clientSecret), oidc.ClientSecretPost(clientSecret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? inHeader : inBody)(server, ...rest);
  };
}

function guardedBy(allowPrivate: boolean): oidc.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const answer = await guardedFetch(url, {
      method,
      headers,
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      maxBytes: 1_000_000,
      timeoutMs: 10_000,
      maxRedirects: 0,
      allowPrivate,
      signal,
    });
    const { status } = answer;
    const isEmpty = [204, 205, 304].includes(status);
    const type = answer.headers.get('content-type');
    return new Response(isEmpty ? null : Buffer.from(answer.bytes), {
      status,
      headers: type === null ? {} : { 'content-type': type },
    });
  };
}

function refuse(detail: string, cause?: unknown): AppError {
  return new AppError('provider_sign_in_failed', { detail: detail.slice(0, MAX_WORDS), cause });
}

/** Uses the provider's own words where it gave some. */
function describe(error: unknown, name: string): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError) {
    return refuse(`${name} says: ${error.error_description ?? error.error}`, error);
  }
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof FetchError) return refuse(cause.message, error);
  }
  const words = error instanceof oidc.ClientError ? deepestMessage(error) : 'it is incomplete';
  return refuse(`The answer of ${name} is not accepted: ${words}.`, error);
}

function deepestMessage(error: Error): string {
  const { message, cause } = error;
  return cause instanceof Error ? deepestMessage(cause) : message;
}

function identifierOf(state: string): string {
  return `provider ${hash(state)}`;
}

function hash(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
