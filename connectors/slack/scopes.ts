/** What the app may do in a team, and what it is told of. */
export const scopes = [
  'app_mentions:read',
  'assistant:write',
  'channels:history',
  'chat:write',
  'files:read',
  'groups:history',
  'im:history',
  'mpim:history',
  'reactions:read',
  'users:read',
] as const;

export const botEvents = [
  'app_home_opened',
  'app_mention',
  'app_uninstalled',
  'message.channels',
  'message.groups',
  'message.im',
  'message.mpim',
  'reaction_added',
  'reaction_removed',
  'tokens_revoked',
] as const;
