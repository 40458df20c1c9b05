import type { KeyHolder } from '../workspaces/api-keys.ts';

/** Who reads and changes conversations: a key, which reaches every workspace of its owner, by its display name. */
export type InboxUser = Pick<KeyHolder, 'ownerId' | 'name'>;
