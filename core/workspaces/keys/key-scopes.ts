/** The rights that an API key can have, in the order in which keys list them. */
export const keyScopes = [
  'query',
  'search',
  'conversations:read',
  'conversations:write',
  'conversations:reply',
  'documents:read',
  'documents:write',
  'events:read',
  'webhooks:write',
  'channels:write',
  'usage:read',
  'people:write',
] as const;

export type KeyScope = (typeof keyScopes)[number];

/** The scopes of a key that names none, and of every key that is older than scopes. */
export const defaultKeyScopes: readonly KeyScope[] = ['query', 'conversations:read', 'conversations:write'];

/** Which workspaces a key reaches: its own, or all of its owner. */
export const keyReaches = ['own', 'owner'] as const;

export type KeyReach = (typeof keyReaches)[number];

/** A live key asks for real: people see its questions, which count. Only test keys see those of a test key. */
export const keyModes = ['live', 'test'] as const;

export type KeyMode = (typeof keyModes)[number];

/** Returns the known scopes among `names`, each once, in their order. A name of a newer version opens nothing here. */
export function toKeyScopes(names: readonly string[]): readonly KeyScope[] {
  return keyScopes.filter((scope) => names.includes(scope));
}

/** Returns the reach that is stored. An unknown one counts as the narrow one. */
export function toKeyReach(stored: string): KeyReach {
  return stored === 'owner' ? 'owner' : 'own';
}

/** Returns the mode that is stored. An unknown one counts as a test, which nobody but test keys sees. */
export function toKeyMode(stored: string): KeyMode {
  return stored === 'live' ? 'live' : 'test';
}

/** Every test key begins with it. */
export const TEST_KEY_PREFIX = 'pk_test_';

/** Whether a value may be that of a test key: it has the prefix. Its row decides. */
export function mayBeTestKey(value: string): boolean {
  return value.startsWith(TEST_KEY_PREFIX);
}
