import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { bearerToken } from './bearer-token.ts';

/** Every route of `app` takes the operator's token, or the former one while ADMIN_TOKEN_PREVIOUS holds it. */
export function authenticateOperator(app: FastifyInstance, { installation }: Runtime): void {
  const { adminToken, previousAdminToken } = installation;
  const accepted = [adminToken, previousAdminToken].flatMap((token) =>
    token === null ? [] : [digest(token)],
  );
  app.addHook('onRequest', async (request) => {
    const given = digest(bearerToken(request.headers, 'ADMIN_TOKEN'));
    const matches = accepted.map((expected) => timingSafeEqual(given, expected));
    if (matches.includes(true)) return;
    throw new AppError('invalid_key', { detail: "This is not the operator's token." });
  });
}

/** Digests have one length, so that comparing them tells nothing about the token's. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
