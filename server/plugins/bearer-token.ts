import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../core/base/errors.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { isWeakToken } from '../../core/secrets/installation.ts';
import { API_KEY_PREFIX } from '../../core/workspaces/keys/api-keys.ts';

/**
 * Returns the token after `Bearer ` in the Authorization header. Throws `missing_auth` and `malformed_auth`.
 */
export function parseBearerToken(headers: IncomingHttpHeaders, placeholder: string): string {
  const { authorization } = headers;
  const expected = `Bearer <${placeholder}>`;
  if (authorization === undefined) {
    throw new AppError('missing_auth', {
      detail: `The Authorization header is missing. Send Authorization: ${expected}.`,
    });
  }
  const token = /^Bearer ((?!["'])[\x21-\x7e]+)$/.exec(authorization)?.[1];
  if (token === undefined) {
    throw new AppError('malformed_auth', {
      detail: `The Authorization header is malformed. Use exactly: Authorization: ${expected}.`,
    });
  }
  return token;
}

/**
 * Requires the operator's token for each route of `app`, before anything else.
 */
export function requireOperatorToken(app: FastifyInstance, runtime: Runtime): void {
  app.addHook('onRequest', (request) => assertOperatorToken(request, runtime));
}

/**
 * Throws unless the request carries the operator's token. The previous token is accepted while ADMIN_TOKEN_PREVIOUS contains
 * it. A strong token is always accepted: it cannot be guessed, so failed attempts of others never lock out its owner. A weak
 * one is also rejected from an IP address with too many failed attempts.
 */
export async function assertOperatorToken(
  { headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>,
  { installation, guesses }: Pick<Runtime, 'installation' | 'guesses'>,
): Promise<void> {
  const credential = parseBearerToken(headers, 'ADMIN_TOKEN');
  const matches = matchOperatorToken(credential, installation);
  if (matches.some(({ isWeak }) => !isWeak)) return;
  await guesses.check({ kind: 'operator', address: ip, credential, isGuessable: true }, async () => {
    if (matches.length > 0) return;
    const detail = credential.startsWith(API_KEY_PREFIX)
      ? "This operation takes no API key. Send the operator's token."
      : "The operator's token is not valid. Check ADMIN_TOKEN.";
    throw new AppError('invalid_key', { detail });
  });
}

/** Whether the request carries a token in the form of an API key, and not the operator's. */
export function hasApiKey(
  { headers }: Pick<FastifyRequest, 'headers'>,
  { installation }: Pick<Runtime, 'installation'>,
): boolean {
  const credential = headers.authorization?.replace(/^Bearer /, '') ?? '';
  return credential.startsWith(API_KEY_PREFIX) && matchOperatorToken(credential, installation).length === 0;
}

function matchOperatorToken(
  credential: string,
  { adminToken, previousAdminToken }: Pick<Runtime['installation'], 'adminToken' | 'previousAdminToken'>,
): readonly { readonly isWeak: boolean }[] {
  const given = sha256(credential);
  return [adminToken, previousAdminToken].flatMap((token) =>
    token !== null && timingSafeEqual(given, sha256(token)) ? [{ isWeak: isWeakToken(token) }] : [],
  );
}

/**
 * Hashed, so that both values have the same length and the comparison does not reveal the length of the
 * token.
 */
function sha256(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
