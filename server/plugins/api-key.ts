import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admitted } from '../../core/limits/admission.ts';
import { quotaExhausted } from '../../core/limits/quota.ts';
import type { Runtime } from '../../core/runtime.ts';
import { withinDeadline } from '../deadline.ts';
import { admitted, rateLimitHeaders, reservations } from './admission.ts';
import { bearerToken } from './bearer-token.ts';
import { idempotencyKeyOf } from './idempotency.ts';

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

/**
 * What the door counted against the owner's month before the body was read: refused here where nothing was left, and
 * given back when the request fails. What the door left to be counted later is counted here.
 */
export function countMessage(app: FastifyInstance, runtime: Runtime): void {
  app.addHook('preHandler', async (request) => {
    if (request.routeOptions.config.countsMessage !== true) return;
    const { holder, messageCounted, at } = admitted.of(request);
    if (messageCounted === false) throw quotaExhausted(at);
    if (messageCounted === true) return;
    const { owner, plan } = holder.workspace;
    reservations.set(request, await runtime.quota.reserve(owner, plan));
  });
  app.addHook('onSend', async (request, reply) => {
    if (reply.statusCode < 400) return;
    try {
      await refundMessage(runtime, request);
    } catch (err) {
      // The answer is an error already, and stays the one it is.
      request.log.error({ err }, 'a failed request could not be taken off its quota');
    }
  });
}

/** Gives back what was counted for a request that came to nothing. */
export async function refundMessage(
  { quota }: Pick<Runtime, 'quota'>,
  request: FastifyRequest,
): Promise<void> {
  const reservation = reservations.find(request);
  if (reservation !== undefined) await quota.refund(reservation);
}
