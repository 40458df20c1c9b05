import type { z } from 'zod';
import type { ApiKey } from '../../../core/workspaces/api-keys.ts';
import type { keySchema } from './key-schema.ts';

export function presentKey(key: ApiKey): z.output<typeof keySchema> {
  return {
    id: key.id,
    workspace_id: key.workspaceId,
    name: key.name,
    ending: key.ending,
    rate_limit_minute: key.rateLimitMinute,
    rate_limit_day: key.rateLimitDay,
    previous_valid_until: key.previousValidUntil?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
  };
}
