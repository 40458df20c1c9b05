import { useMemo, useRef } from 'react';
import { type KeyAction, useKeyActions } from '../../../keys/registry.ts';
import { useTexts } from '../../../texts/texts.tsx';

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
  { name: 'snooze', keys: 's', writes: true },
  { name: 'assign', keys: 'a', writes: true },
  { name: 'assignMe', keys: 'i', writes: true },
  { name: 'tags', keys: 'l', writes: true },
  { name: 'priority', keys: 'p', writes: true },
  { name: 'retry', keys: 'y', writes: true },
];

interface ListKeysOptions {
  readonly mayWrite: boolean;
  readonly isPicking: boolean;
  readonly run: (name: KeyName) => void;
}

/** Binds the keys of the list. With a selection they come before those of the open conversation. */
export function useListKeys({ mayWrite, isPicking, run }: ListKeysOptions): void {
  const { texts } = useTexts();
  const latest = useRef(run);
  latest.current = run;
  const actions = useMemo<readonly KeyAction[]>(() => {
    const offered = listKeys.filter(({ writes = false }) => mayWrite || !writes);
    const clear = isPicking ? [{ name: 'clear', keys: 'Escape' } as const] : [];
    return [...offered, ...clear].map(({ name, keys }) => ({
      id: `inbox-${name}`,
      name: name === 'search' ? texts.inbox.search : texts.inbox.actions[name],
      keys,
      scope: 'here' as const,
      repeats: name === 'next' || name === 'previous',
      // Text fields keep this one.
      leavesText: name === 'pickAll',
      run: () => latest.current(name),
    }));
  }, [texts, mayWrite, isPicking]);
  useKeyActions(actions);
}
