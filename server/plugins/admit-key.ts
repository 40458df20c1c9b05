import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admitted } from '../../core/limits/admission.ts';
import type { Runtime } from '../../core/runtime.ts';
import { withinDeadline } from '../within-deadline.ts';
import { admitted } from './admitted.ts';
import { bearerToken } from './bearer-token.ts';
import { idempotencyKeyOf } from './idempotency-key-of.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { reservations } from './reservations.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the owner's monthly quota counts a request to this route. */
    countsMessage?: boolean;
  }
}

/**
 * Every route of `app` takes an API key that has not used up its limits, before anything else is looked at. Where that
 * cannot be told within `timeoutMs`, nobody is kept waiting longer.
 */
export function admitKey(app: FastifyInstance, runtime: Runtime, timeoutMs: number): void {
  app.addHook('onRequest', (request, reply) => admitRequest(runtime, { request, reply, timeoutMs }));
}

interface Entering {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Admission is given up after this many milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Admits one request by its API key and sets the rate limit headers. Throws the errors of authentication and of the
 * key's limits.
 */
export async function admitRequest(
  { admission, guesses, quota }: Runtime,
  { request, reply, timeoutMs }: Entering,
): Promise<void> {
  const key = bearerToken(request.headers, 'API_KEY');
  const admitting = guesses.check({ kind: 'api_key', address: request.ip, credential: key }, () =>
    admission.admit(key, countedAtTheDoor(request)),
  );
  const found = await withinDeadline(timeoutMs, () => admitting).catch((error: unknown) => {
    leave(admitting);
    throw error;
  });
  reply.headers(rateLimitHeaders(found.limits));
  if (found.refusal !== null) throw found.refusal;
  admitted.set(request, found);
  if (found.messageCounted === true) {
    reservations.set(request, quota.reservationOf(found.holder.workspace.owner, found.at));
  }
  // A client that disconnects during admission has closed its response already.
  if (reply.raw.destroyed) found.end();
  else reply.raw.once('close', found.end);
}

/** Whoever is let in after all is gone by then. */
function leave(admitting: Promise<Admitted>): void {
  admitting.then(
    ({ end }) => end(),
    () => {},
  );
}

/** What may turn out to be a repetition is counted when it is known not to be one. */
function countedAtTheDoor(request: FastifyRequest): boolean {
  return request.routeOptions.config.countsMessage === true && idempotencyKeyOf(request) === undefined;
}
