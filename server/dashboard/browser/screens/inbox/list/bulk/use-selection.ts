import { useCallback, useState } from 'react';

interface Selection {
  readonly list: string;
  readonly ids: ReadonlySet<string>;
  /** All that match the list, also those that were not loaded. */
  readonly all: boolean;
  /** Where a range begins. */
  readonly anchor: string | null;
}

/** The selected conversations of a list. Another list begins without any. */
export function useSelection(list: string, order: readonly string[]) {
  const none: Selection = { list, ids: new Set(), all: false, anchor: null };
  const [state, setState] = useState(none);
  const current = state.list === list ? state : none;
  const toggle = (id: string) => {
    const ids = new Set(current.all ? order : current.ids);
    if (!ids.delete(id)) ids.add(id);
    setState({ list, ids, all: false, anchor: id });
  };
  const range = (id: string) => {
    const [from, to] = [order.indexOf(current.anchor ?? id), order.indexOf(id)].toSorted((a, b) => a - b);
    const between = from === undefined || to === undefined || from < 0 ? [id] : order.slice(from, to + 1);
    setState({ list, ids: new Set([...current.ids, ...between]), all: false, anchor: current.anchor ?? id });
  };
  const pickAll = () => setState({ ...current, ids: new Set(order), all: true });
  const clear = useCallback(() => setState({ list, ids: new Set(), all: false, anchor: null }), [list]);
  const isPicked = (id: string) => current.all || current.ids.has(id);
  return { isPicked, all: current.all, size: current.ids.size, toggle, range, pickAll, clear };
}
