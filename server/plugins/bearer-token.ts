import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../core/errors.ts';
import { isWeakToken } from '../../core/installation.ts';
import type { Runtime } from '../../core/runtime.ts';

/** What follows `Bearer ` in the Authorization header. Throws `missing_auth` and `malformed_auth`. */
export function parseBearerToken(headers: IncomingHttpHeaders, placeholder: string): string {
  const { authorization } = headers;
  const wanted = `Bearer <${placeholder}>`;
  if (authorization === undefined) {
    throw new AppError('missing_auth', { detail: `Send the header Authorization: ${wanted}.` });
  }
  const token = /^Bearer ((?!["'])[\x21-\x7e]+)$/.exec(authorization)?.[1];
  if (token === undefined) {
    throw new AppError('malformed_auth', { detail: `The Authorization header must be exactly: ${wanted}.` });
  }
  return token;
}

/**
 * Every route of `app` takes the operator's token, or the former one while ADMIN_TOKEN_PREVIOUS holds it, before anything
 * else is looked at. A strong token always passes: no number of guesses leads to it, so nobody can lock its holder out. A
 * weak one is refused, too, from an address that has failed too often.
 */
export function requireOperatorToken(app: FastifyInstance, { installation, guesses }: Runtime): void {
  const accepted = [installation.adminToken, installation.previousAdminToken].flatMap((token) =>
    token === null ? [] : [{ expected: sha256(token), isWeak: isWeakToken(token) }],
  );
  app.addHook('onRequest', async (request) => {
    const credential = parseBearerToken(request.headers, 'ADMIN_TOKEN');
    const given = sha256(credential);
    const matches = accepted.filter(({ expected }) => timingSafeEqual(given, expected));
    if (matches.some(({ isWeak }) => !isWeak)) return;
    await guesses.check(
      { kind: 'operator', address: request.ip, credential, isGuessable: true },
      async () => {
        if (matches.length > 0) return;
        throw new AppError('invalid_key', { detail: "This is not the operator's token." });
      },
    );
  });
}

/** Digests have one length, so that comparing them tells nothing about the token's. */
function sha256(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
