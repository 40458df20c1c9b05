import { useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';
import { type KeyAction, useKeyActions } from '../../../keys/registry.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { type KeyName, keyId, listKeys } from './list-keys.ts';

interface ListKeysOptions {
  readonly mayWrite: boolean;
  readonly isPicking: boolean;
  /** Whether there is a row to act on: then these keys take precedence over those of the open conversation. */
  readonly isFirst: boolean;
  readonly run: (name: KeyName) => void;
}

/** Binds the keys of the list. */
export function useListKeys({ mayWrite, isPicking, isFirst, run }: ListKeysOptions): void {
  const { texts } = useTexts();
  const latest = useRef({ isFirst, run });
  latest.current = { isFirst, run };
  const actions = useMemo<readonly KeyAction[]>(() => {
    const offered = listKeys.filter(({ writes = false }) => mayWrite || !writes);
    const clear = isPicking ? [{ name: 'clear', keys: 'Escape' } as const] : [];
    return [...offered, ...clear].map(({ name, keys }) => ({
      isFirst: () => latest.current.isFirst,
      id: keyId(name),
      name: name === 'search' ? texts.inbox.search : texts.inbox.actions[name],
      keys,
      scope: 'here' as const,
      repeats: name === 'next' || name === 'previous',
      // Text fields keep this one.
      leavesText: name === 'pickAll',
      // On a slow machine the next key would otherwise act on the row before.
      run: () => flushSync(() => latest.current.run(name)),
    }));
  }, [texts, mayWrite, isPicking]);
  useKeyActions(actions);
}
