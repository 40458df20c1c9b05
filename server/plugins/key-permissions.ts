import type { Permission } from '../../core/members/authority.ts';
import type { KeyScope } from '../../core/workspaces/keys/key-scopes.ts';

/**
 * The permissions behind each scope of an API key. An operator route can name a scope only if its own permission stands here, so
 * a key never reaches members, keys, settings or the credentials of channels. The three scopes of older keys have none: those
 * keys open what they opened before, and nothing of the operator's.
 */
export const keyPermissions: Readonly<Record<KeyScope, readonly Permission[]>> = {
  query: [],
  search: ['knowledge:read'],
  'conversations:read': [],
  'conversations:write': [],
  'conversations:reply': ['inbox:reply'],
  'documents:read': ['knowledge:read'],
  'documents:write': ['knowledge:write'],
  'events:read': [],
  'webhooks:write': ['developers:read', 'developers:write'],
  'channels:write': [],
  'usage:read': ['usage:read'],
  'people:write': ['customers:write'],
};
