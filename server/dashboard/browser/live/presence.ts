import { useEffect, useMemo, useRef } from 'react';
import { useMe } from '../api/queries/me.ts';
import { send } from '../api/send.ts';
import type { PresentPerson } from './frames.ts';
import { usePresent } from './live-state.ts';

/** The others who have the conversation open. */
export function useOthers(conversation: string): readonly PresentPerson[] {
  const { person } = useMe();
  const present = usePresent(conversation);
  return useMemo(() => present.filter(({ id }) => id !== person.id), [present, person.id]);
}

interface Visit {
  readonly workspace: string;
  readonly conversation: string;
}

type Doing = 'viewing' | 'writing' | 'left';

const refreshMs = 20_000;
/** The time for which the visitor sees that an agent types after a key press. */
const writingMs = 5_000;

/**
 * Tells the others that the person has a conversation open, while the component is shown and the page visible.
 * Returns the function to call with each key press in the composer.
 */
export function useTellPresence({ workspace, conversation }: Visit): () => void {
  const wroteAt = useRef(Number.NEGATIVE_INFINITY);
  const tell = useRef<(doing: Doing) => void>(() => {});
  useEffect(() => {
    const path = `/admin/v1/workspaces/${workspace}/conversations/${conversation}/presence`;
    const put = (doing: Doing) => {
      // A failure is ignored: nothing depends on presence, and the next message repeats it.
      send(path, { method: 'PUT', body: { doing } }).catch(() => {});
    };
    tell.current = put;
    const look = () => {
      const wasWriting = performance.now() - wroteAt.current < refreshMs;
      if (document.visibilityState === 'visible') put(wasWriting ? 'writing' : 'viewing');
    };
    const onVisibility = () => (document.visibilityState === 'visible' ? look() : put('left'));
    look();
    const timer = setInterval(look, refreshMs);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisibility);
      put('left');
      tell.current = () => {};
    };
  }, [workspace, conversation]);
  return useMemo(
    () => () => {
      const now = performance.now();
      if (now - wroteAt.current < writingMs) return;
      wroteAt.current = now;
      tell.current('writing');
    },
    [],
  );
}
