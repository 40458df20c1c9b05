export type KeyName =
  | 'next'
  | 'previous'
  | 'open'
  | 'pick'
  | 'pickRange'
  | 'pickAll'
  | 'toggleUnread'
  | 'snooze'
  | 'resolve'
  | 'resolveAndNext'
  | 'reopen'
  | 'assign'
  | 'assignMe'
  | 'tags'
  | 'priority'
  | 'views'
  | 'search'
  | 'retry'
  | 'clear';

/** The keys of the list, unless the person chose others. */
export const listKeys: readonly {
  readonly name: KeyName;
  readonly keys: string;
  readonly writes?: boolean;
}[] = [
  { name: 'next', keys: 'j' },
  { name: 'previous', keys: 'k' },
  { name: 'open', keys: 'Enter' },
  { name: 'search', keys: '/' },
  { name: 'views', keys: 'v' },
  { name: 'toggleUnread', keys: 'u' },
  { name: 'pick', keys: 'x', writes: true },
  { name: 'pickRange', keys: 'shift+x', writes: true },
  { name: 'pickAll', keys: 'mod+a', writes: true },
  { name: 'resolve', keys: 'e', writes: true },
  { name: 'resolveAndNext', keys: 'shift+e', writes: true },
  { name: 'reopen', keys: 'shift+o', writes: true },
  { name: 'snooze', keys: 's', writes: true },
  { name: 'assign', keys: 'a', writes: true },
  { name: 'assignMe', keys: 'i', writes: true },
  { name: 'tags', keys: 'l', writes: true },
  { name: 'priority', keys: 'p', writes: true },
  { name: 'retry', keys: 'y', writes: true },
];

/** The id of the action, under which a person can choose other keys. */
export function keyId(name: KeyName): string {
  return `inbox-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
