import { z } from 'zod';
import type { ApiKey, KeyDay } from '../../../core/workspaces/keys/api-keys.ts';
import { MAX_KEY_NETWORKS, toNetwork } from '../../../core/workspaces/keys/key-networks.ts';
import { keyModes, keyReaches, keyScopes } from '../../../core/workspaces/keys/key-scopes.ts';
import { withErrorCode } from '../../schemas/responses.ts';
import { workspaceParamsSchema } from '../operator-route.ts';

/** The path parameters of one API key. */
export const keyParamsSchema = workspaceParamsSchema.extend({
  key_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('key_not_found')),
});

/** The networks of a key, each in one form. */
export const allowedNetworksSchema = z
  .array(
    z.string().transform((text, context) => {
      const network = toNetwork(text);
      if (network !== null) return network;
      context.addIssue('not a network');
      return z.NEVER;
    }),
  )
  .max(MAX_KEY_NETWORKS)
  .optional()
  .meta({
    description:
      'Networks in CIDR notation, or addresses, that the key may be used from. Absent or empty: all.',
  });

/** An API key as the operator sees it, without its value. */
export const keySchema = z
  .object({
    id: z.string(),
    workspace_id: z.string(),
    name: z.string(),
    ending: z.string().meta({ description: 'The last four characters of the key.' }),
    rate_limit_minute: z.int(),
    rate_limit_day: z.int(),
    scopes: z.array(z.enum(keyScopes)).meta({ description: 'What the key may do.' }),
    workspaces: z.enum(keyReaches).meta({
      description: 'own: the key reaches this workspace only. owner: all workspaces of its owner.',
    }),
    mode: z.enum(keyModes),
    allowed_networks: z
      .array(z.string())
      .meta({ description: 'The networks that it may be used from, in CIDR notation. Empty: all.' }),
    expires_at: z.iso.datetime().nullable(),
    previous_valid_until: z.iso.datetime().nullable().meta({
      description: 'When the old value expires after a rotation. Null if only one value is valid.',
    }),
    created_at: z.iso.datetime(),
    created_by: z.string().meta({ description: 'The name of the person who made it, or `operator`.' }),
    last_used_at: z.iso.datetime().nullable().meta({ description: 'To the minute. Null if it never was.' }),
    scopes_used: z.array(z.object({ scope: z.enum(keyScopes), at: z.iso.datetime() })).meta({
      description: 'When each scope was last used, to the minute. Scopes that never were are absent.',
    }),
    revoked_at: z.iso.datetime().nullable(),
    days: z
      .array(
        z.object({
          day: z.iso.date().meta({ description: 'In UTC.' }),
          answered: z.int().meta({
            description: 'Requests that succeeded, but for answers with low confidence.',
          }),
          low: z.int().meta({ description: 'Answers with low confidence.' }),
          errors: z.int().meta({ description: 'Requests that failed, or that the client gave up.' }),
          limited: z.int().meta({ description: 'Requests that a rate limit or the quota refused.' }),
        }),
      )
      .meta({ description: 'Outcomes of the last 30 days, oldest first, without days that have none.' }),
  })
  .meta({ id: 'Key' });

export function presentKey(key: ApiKey, days: readonly KeyDay[] = []): z.output<typeof keySchema> {
  return {
    id: key.id,
    workspace_id: key.workspaceId,
    name: key.name,
    ending: key.ending,
    rate_limit_minute: key.rateLimitMinute,
    rate_limit_day: key.rateLimitDay,
    scopes: [...key.scopes],
    workspaces: key.workspaces,
    mode: key.mode,
    allowed_networks: [...key.allowedNetworks],
    previous_valid_until: key.previousValidUntil?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    created_by: key.createdBy,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    scopes_used: key.scopesUsed.map(({ scope, at }) => ({ scope, at: at.toISOString() })),
    revoked_at: key.revokedAt?.toISOString() ?? null,
    days: days.map(({ day, answered, low, errors, limited }) => ({ day, answered, low, errors, limited })),
  };
}
