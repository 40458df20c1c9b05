import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admitted } from '../../core/limits/admission.ts';
import { quotaExhaustedError } from '../../core/limits/quota.ts';
import type { Runtime } from '../../core/runtime.ts';
import { withDeadline } from '../deadline.ts';
import { keyAdmission, quotaReservation, rateLimitHeaders } from './admission.ts';
import { parseBearerToken } from './bearer-token.ts';
import { findIdempotencyKey } from './idempotency.ts';

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
export function requireApiKey(app: FastifyInstance, runtime: Runtime, timeoutMs: number): void {
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
  const key = parseBearerToken(request.headers, 'API_KEY');
  const admitting = guesses.check({ kind: 'api_key', address: request.ip, credential: key }, () =>
    admission.admit(key, isCountedOnAdmission(request)),
  );
  const found = await withDeadline(timeoutMs, () => admitting).catch((error: unknown) => {
    releaseAdmission(admitting);
    throw error;
  });
  reply.headers(rateLimitHeaders(found.limits));
  if (found.refusal !== null) throw found.refusal;
  keyAdmission.set(request, found);
  if (found.messageCounted === true) {
    quotaReservation.set(request, quota.toReservation(found.holder.workspace.owner, found.at));
  }
  // A client that disconnects during admission has closed its response already.
  if (reply.raw.destroyed) found.end();
  else reply.raw.once('close', found.end);
}

/** Whoever is let in after all is gone by then. */
function releaseAdmission(admitting: Promise<Admitted>): void {
  admitting.then(
    ({ end }) => end(),
    () => {},
  );
}

/** What may turn out to be a repetition is counted when it is known not to be one. */
function isCountedOnAdmission(request: FastifyRequest): boolean {
  return request.routeOptions.config.countsMessage === true && findIdempotencyKey(request) === undefined;
}

/**
 * What the door counted against the owner's month before the body was read: refused here where nothing was left, and
 * given back when the request fails. What the door left to be counted later is counted here.
 */
export function countMessage(app: FastifyInstance, runtime: Runtime): void {
  app.addHook('preHandler', async (request) => {
    if (request.routeOptions.config.countsMessage !== true) return;
    const { holder, messageCounted, at } = keyAdmission.get(request);
    if (messageCounted === false) throw quotaExhaustedError(at);
    if (messageCounted === true) return;
    const { owner, plan } = holder.workspace;
    quotaReservation.set(request, await runtime.quota.reserve(owner, plan));
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
  const reservation = quotaReservation.find(request);
  if (reservation !== undefined) await quota.refund(reservation);
}
