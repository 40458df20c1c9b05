import { useCallback, useState } from 'react';

/** The row that keys act on, and its place: if it goes, the next one takes its place. */
export function useCurrent(openId: string | null, ids: readonly string[]) {
  const [state, setState] = useState<{ id: string | null; openId: string | null; place: number }>({
    ...{ id: openId, openId, place: 0 },
  });
  let current = state;
  if (state.openId !== openId) current = { ...state, openId, id: openId ?? state.id };
  const place = ids.indexOf(current.id ?? '');
  if (place >= 0 && place !== current.place) current = { ...current, place };
  if (current !== state) setState(current);
  const setCurrent = useCallback((id: string) => setState((old) => ({ ...old, id })), []);
  return { current, setCurrent };
}
