import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { bearerToken } from './bearer-token.ts';

/** Every route of `app` takes the operator's token, before anything else is looked at. */
export function authenticateOperator(app: FastifyInstance, { installation }: Runtime): void {
  const expected = digest(installation.adminToken);
  app.addHook('onRequest', async (request) => {
    const given = digest(bearerToken(request.headers, 'ADMIN_TOKEN'));
    if (timingSafeEqual(given, expected)) return;
    throw new AppError('invalid_key', { detail: "This is not the operator's token." });
  });
}

/** Digests have one length, so that comparing them tells nothing about the token's. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
