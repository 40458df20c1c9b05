import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../core/base/errors.ts';
import type { Admitted } from '../../core/limits/admission.ts';
import type { KeyOutcome } from '../../core/limits/key-outcomes.ts';
import { quotaExhaustedError } from '../../core/limits/quota.ts';
import type { WorkspaceServices } from '../../core/runtime/open-workspaces.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { type KeyScope, mayBeTestKey } from '../../core/workspaces/keys/key-scopes.ts';
import { withDeadline } from '../deadline.ts';
import {
  keyAdmission,
  keyOutcome,
  type NeededScope,
  quotaReservation,
  rateLimitHeaders,
  requireNetwork,
  requireScope,
} from './admission.ts';
import { parseBearerToken } from './bearer-token.ts';
import { findIdempotencyKey } from './idempotency.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a request to this route counts towards the owner's monthly quota. */
    countsMessage?: boolean;
    /** Whether this route only responds that its path does not take the method. */
    refusesMethod?: boolean;
  }
}

/**
 * Requires an API key within its limits, with the scope that the route names, for each route of `app`, before anything
 * else. Throws `request_timeout` if the check takes longer than `timeoutMs`.
 */
export function requireApiKey(app: FastifyInstance, runtime: Runtime, timeoutMs: number): void {
  app.addHook('onRequest', async (request, reply) => {
    const { scope } = request.routeOptions.config;
    if (scope === undefined) throw new TypeError(`${request.routeOptions.url} names no scope`);
    await admitRequest(runtime, { request, reply, timeoutMs, scope });
  });
}

/**
 * Admits requests with an API key below /v1 that no operation takes, so that their 404 and 405 have the rate-limit headers.
 * A key that is not accepted makes no difference to them.
 */
export function admitRefusedRequests(app: FastifyInstance, runtime: Runtime, timeoutMs: number): void {
  app.addHook('onRequest', async (request, reply) => {
    const isRefused = request.is404 || request.routeOptions.config.refusesMethod === true;
    if (!isRefused || !request.url.startsWith('/v1/') || request.headers.authorization === undefined) return;
    try {
      await admitRequest(runtime, { request, reply, timeoutMs, scope: 'any' });
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 401) throw error;
    }
  });
}

interface AdmissionRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Milliseconds after which admission is aborted. */
  readonly timeoutMs: number;
  readonly scope: NeededScope;
}

/**
 * Admits one request by its API key and sets the rate-limit headers. Throws the errors of authentication and
 * of the key's limits, then `network_not_allowed` and `insufficient_scope`.
 */
export async function admitRequest(
  { admission, guesses, quota, keyOutcomes }: WorkspaceServices,
  { request, reply, timeoutMs, scope }: AdmissionRequest,
): Promise<void> {
  const key = parseBearerToken(request.headers, 'API_KEY');
  const admitting = guesses.check({ kind: 'api_key', address: request.ip, credential: key }, () =>
    admission.admit(key, isCountedOnAdmission(request) && !mayBeTestKey(key)),
  );
  const found = await withDeadline(timeoutMs, () => admitting).catch((error: unknown) => {
    releaseAdmission(admitting);
    throw error;
  });
  reply.headers(rateLimitHeaders(found.limits));
  if (found.refusal !== null) {
    keyOutcomes.add(found.holder.id, found.refusal.status === 429 ? 'limited' : 'errors');
    throw found.refusal;
  }
  keyAdmission.set(request, found);
  if (found.messageCounted === true) {
    quotaReservation.set(request, quota.toReservation(found.holder.workspace.owner, found.at));
  }
  // A client that disconnects during admission has closed its response already.
  let used: KeyScope | undefined;
  const end = () => {
    found.end();
    keyOutcomes.add(found.holder.id, findOutcome(request, reply), used);
  };
  if (reply.raw.destroyed) end();
  else reply.raw.once('close', end);
  requireNetwork(request, found.holder);
  requireScope(reply, found.holder, scope);
  if (scope !== 'any') used = scope;
}

/** Requests whose client disconnected early count as errors. */
function findOutcome(request: FastifyRequest, { raw }: FastifyReply): KeyOutcome {
  if (raw.statusCode === 429) return 'limited';
  if (raw.statusCode >= 400 || !raw.writableEnded) return 'errors';
  return keyOutcome.find(request) ?? 'answered';
}

/** Ends an admission that succeeds after its request has timed out. */
function releaseAdmission(admitting: Promise<Admitted>): void {
  admitting.then(
    ({ end }) => end(),
    () => {},
  );
}

/** A request that may repeat an earlier one is counted later, once it is known to be new. */
function isCountedOnAdmission(request: FastifyRequest): boolean {
  return request.routeOptions.config.countsMessage === true && findIdempotencyKey(request) === undefined;
}

/**
 * Applies the quota of the owner's month. Admission has counted the message before the body was read: an
 * exhausted quota is reported here, and the count is refunded if the request fails. A message that admission
 * left uncounted is counted here, unless the key is a test key.
 */
export function countMessage(app: FastifyInstance, runtime: Runtime): void {
  app.addHook('preHandler', async (request) => {
    if (request.routeOptions.config.countsMessage !== true) return;
    const { holder, messageCounted, at } = keyAdmission.get(request);
    if (holder.mode === 'test') return;
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
      // The response is already an error and stays unchanged.
      request.log.error({ err }, 'quota refund failed');
    }
  });
}

/** Refunds the quota of a failed request. */
export async function refundMessage(
  { quota }: Pick<Runtime, 'quota'>,
  request: FastifyRequest,
): Promise<void> {
  const reservation = quotaReservation.find(request);
  if (reservation !== undefined) await quota.refund(reservation);
}
