import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../core/base/errors.ts';
import type { Admitted, KeyHolder, KeyLimits } from '../../core/limits/admission.ts';
import type { KeyOutcome } from '../../core/limits/key-outcomes.ts';
import type { Reservation } from '../../core/limits/quota.ts';
import { isInNetworks } from '../../core/workspaces/keys/key-networks.ts';
import type { KeyScope } from '../../core/workspaces/keys/key-scopes.ts';
import { RequestContext } from '../request-context.ts';

/** The admission of the request by its API key. */
export const keyAdmission = new RequestContext<Admitted>('key');

/** The outcome of the request for its key, where the status of the response does not tell. */
export const keyOutcome = new RequestContext<KeyOutcome>('key outcome');

/** The quota reservation of the request for its owner's month. */
export const quotaReservation = new RequestContext<Reservation>('reservation');

/** Returns the rate-limit headers of a key. */
export function rateLimitHeaders(limits: KeyLimits): Record<string, number> {
  return {
    'x-ratelimit-limit-minute': limits.minute,
    'x-ratelimit-remaining-minute': limits.minuteRemaining,
    'x-ratelimit-limit-day': limits.day,
    'x-ratelimit-remaining-day': limits.dayRemaining,
    'x-ratelimit-reset-day': limits.dayResets.getTime() / 1_000,
  };
}

/** The scope that an operation asks an API key for; `any` is for operations that every key may call. */
export type NeededScope = KeyScope | 'any';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that an API key needs. An operator route without one takes no API keys. */
    scope?: NeededScope;
  }
}

/** Names the scope of a route under /v1: `app.get(path, { schema, ...needsScope('query') }, …)`. */
export function needsScope(scope: NeededScope): { readonly config: FastifyContextConfig } {
  return { config: { scope } };
}

/** Throws `network_not_allowed` if the key may not be used from the client's address, as the setting TRUST_PROXY tells it. */
export function requireNetwork(
  { ip }: Pick<FastifyRequest, 'ip'>,
  { allowedNetworks }: Pick<KeyHolder, 'allowedNetworks'>,
): void {
  if (allowedNetworks.length === 0 || isInNetworks(ip, allowedNetworks)) return;
  throw new AppError('network_not_allowed', {
    detail: `This key may not be used from ${ip}. Call from one of its networks, or add this address to them in Settings, API keys.`,
  });
}

/** Throws `insufficient_scope` if the key lacks the scope, with the header of RFC 6750 that names it. */
export function requireScope(
  reply: FastifyReply,
  { scopes }: Pick<KeyHolder, 'scopes'>,
  scope: NeededScope,
): void {
  if (scope === 'any' || scopes.includes(scope)) return;
  reply.header('www-authenticate', `Bearer error="insufficient_scope", scope="${scope}"`);
  throw new AppError('insufficient_scope', {
    detail: `This key lacks ${scope}. Create a key with it in Settings, API keys.`,
  });
}
