import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  type InboxRow,
  inboxListQuery,
  type ListPlace,
  refreshPages,
} from '../../../../api/queries/inbox.ts';
import { useMe } from '../../../../api/queries/me.ts';
import type { LiveFrame } from '../../../../live/frames.ts';
import { useLive } from '../../../../live/live-state.ts';
import { staysListed } from './predict-change.ts';
import { useRowEdits, withEdits } from './row-edits.ts';
import { noOrder, type Order, orderOf, settleOrder } from './settle-order.ts';

/** Milliseconds in which changes are gathered before the pages that they concern are read again. */
const gatherMs = 250;

/** The conversations of a list: pages on demand, kept current by the stream, without rows that move by themselves. */
export function useRows(place: ListPlace, openId: string | null) {
  const { filters } = place;
  const me = useMe().person.id;
  const edits = useRowEdits();
  const query = useInfiniteQuery(inboxListQuery(place));
  useFreshPages(place, openId);
  const fresh = useMemo(
    () => distinct(query.data?.pages.flatMap((page) => page.conversations) ?? []),
    [query.data],
  );
  const [isHeld, setHeld] = useState(false);
  // The list of unread conversations keeps the open one.
  const keptId = filters.view === 'unread' || filters.unread === true ? openId : null;
  const { order, waiting, adopt, expect } = useOrder(
    JSON.stringify([place.filters, place.sort]),
    fresh,
    isHeld,
    keptId,
  );
  const known = useRef(new Map<string, InboxRow>());
  const rows = useMemo(() => {
    for (const row of fresh) known.current.set(row.id, row);
    const listed = new Set(fresh.map(({ id }) => id));
    return order.ids.flatMap((id): readonly ListedRow[] => {
      const row = known.current.get(id);
      const edited = row && withEdits(row, edits);
      if (edited === undefined || edited === null) return [];
      if (edited !== row && !staysListed(edited, filters, me)) return [];
      return [{ row: edited, isGone: !listed.has(id) }];
    });
  }, [order, fresh, edits, filters, me]);
  return { query, rows, waiting, adopt, expect, setHeld };
}

/** A row, and whether the conversation has left the list meanwhile. */
export interface ListedRow {
  readonly row: InboxRow;
  readonly isGone: boolean;
}

function distinct(rows: readonly InboxRow[]): readonly InboxRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** The order is part of the output, so it is settled during the render and not after it. */
function useOrder(list: string, fresh: readonly InboxRow[], isHeld: boolean, keptId: string | null) {
  const [state, setState] = useState<{
    list: string;
    order: Order;
    fresh: readonly InboxRow[];
    isHeld: boolean;
    waiting: number;
  }>({
    ...{ list, order: noOrder, fresh: [], isHeld, waiting: 0 },
  });
  const expected = useRef(new Set<string>());
  let current = state;
  if (state.list !== list || state.fresh !== fresh || state.isHeld !== isHeld) {
    const before = state.list === list ? state.order : noOrder;
    current = {
      list,
      fresh,
      isHeld,
      ...settleOrder(before, fresh, {
        isHeld: (id) => isHeld || id === keptId,
        isExpected: (id) => expected.current.has(id),
      }),
    };
    setState(current);
  }
  const adopt = useCallback(() => setState((old) => ({ ...old, order: orderOf(old.fresh), waiting: 0 })), []);
  const expect = useCallback((ids: readonly string[]) => {
    for (const id of ids) expected.current.add(id);
  }, []);
  return { order: current.order, waiting: current.waiting, adopt, expect };
}

function useFreshPages(place: ListPlace, openId: string | null): void {
  const client = useQueryClient();
  const latest = useRef(place);
  latest.current = place;
  const changed = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const onFrame = useCallback(
    (frame: LiveFrame) => {
      if (frame.event === 'hello') void client.invalidateQueries(inboxListQuery(latest.current));
      if (frame.event !== 'conversation') return;
      changed.current.add(frame.id);
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        const ids = changed.current;
        changed.current = new Set();
        void refreshPages(client, latest.current, ids);
      }, gatherMs);
    },
    [client],
  );
  useLive(onFrame);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (openId === null) return;
    // The person has read it meanwhile, which no frame tells other people, and may have drafted a reply.
    return () => void refreshPages(client, latest.current, new Set([openId]));
  }, [client, openId]);
}
