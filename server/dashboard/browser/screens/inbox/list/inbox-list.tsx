import { useMediaQuery } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { prefetchConversation } from '../../../api/queries/conversation.ts';
import { countsQuery, viewsQuery } from '../../../api/queries/inbox.ts';
import { useMe } from '../../../api/queries/me.ts';
import { useMay, useWorkspaceId } from '../../../api/queries/workspace.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Skeletons } from '../../../parts/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { isNarrowed, type Place, writePlace } from '../views/address.ts';
import { focusViews } from '../views/focus-views.ts';
import { ViewStrip } from '../views/view-strip.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import { KeyHints } from './key-hints.tsx';
import { ListHeader } from './list-header.tsx';
import { EmptyList } from './list-states.tsx';
import { type PickerKind, Pickers } from './pickers.tsx';
import type { RowChange } from './predict-change.ts';
import { retryRow } from './row-edits.ts';
import { type RowAct, Rows } from './rows.tsx';
import { type Targets, useActions } from './use-actions.ts';
import { type KeyName, useListKeys } from './use-list-keys.ts';
import { useRows } from './use-rows.ts';
import { useSelection } from './use-selection.ts';

interface InboxListProps {
  readonly place: Place;
  /** The conversation of the address. */
  readonly openId: string | null;
}

/** The column of conversations: the view, its rows, and everything that keys and the pointer do to them. */
export function InboxList({ place, openId }: InboxListProps) {
  const { texts } = useTexts();
  const words = texts.inbox;
  const workspace = useWorkspaceId();
  const client = useQueryClient();
  const navigate = useNavigate();
  const me = useMe().person.id;
  const mayDelete = useMay('inbox:delete');
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const listPlace = useMemo(
    () => ({ workspace, filters: place.filters, sort: place.sort }),
    [workspace, place.filters, place.sort],
  );
  const list = JSON.stringify([place.filters, place.sort]);
  const { query, rows, waiting, adopt, setHeld } = useRows(listPlace);
  const ids = useMemo(() => rows.map(({ row }) => row.id), [rows]);
  const { current, setCurrent } = useCurrent(openId, ids);
  const selection = useSelection(list, ids);
  const isPicking = selection.size > 0;
  const { act, running, finish, mayWrite, agents } = useActions({ place: listPlace, onReturn: adopt });
  const [picker, setPicker] = useState<{ readonly kind: PickerKind; readonly targets: Targets } | null>(null);
  const [isSearching, setSearching] = useState(false);
  const searchRef = useRef<HTMLInputElement>(null);
  const { data: counts } = useQuery(countsQuery(workspace));
  const { data: views = [] } = useQuery(viewsQuery(workspace));
  const saved = views.find(({ id }) => id === place.saved);

  const base = `/w/${workspace}/inbox`;
  const search = useMemo(() => writePlace(place), [place]);
  const onPlace = useCallback(
    (next: Place) => void navigate({ to: base, search: writePlace(next) }),
    [navigate, base],
  );
  const open = useCallback(
    (id: string, replace: boolean) => void navigate({ to: `${base}/${id}`, search, replace }),
    [navigate, base, search],
  );
  const at = ids.indexOf(current.id ?? '');
  useEffect(() => {
    // What a key can open next is there before it is asked for.
    for (const id of [ids[at], ids[at + 1], ids[at - 1]]) {
      if (id !== undefined) prefetchConversation(client, { workspace, conversation: id });
    }
  }, [client, workspace, ids, at]);

  const goTo = (index: number) => {
    const id = ids[Math.max(0, Math.min(ids.length - 1, index))];
    if (id === undefined) return;
    setCurrent(id);
    if (!isPhone && id !== openId) open(id, openId !== null);
  };
  // Where a row has gone, the one that took its place is the next.
  const move = (step: 1 | -1) => goTo(at >= 0 ? at + step : step === 1 ? current.place : current.place - 1);
  const targets = (id?: string): Targets => {
    const isOne = id !== undefined && !(isPicking && selection.isPicked(id));
    const wanted = isOne
      ? (each: string) => each === id
      : isPicking
        ? selection.isPicked
        : (each: string) => each === current.id;
    return {
      rows: rows.flatMap(({ row }) => (wanted(row.id) ? [row] : [])),
      all: !isOne && selection.all && query.hasNextPage,
    };
  };
  const change = (to: Targets, what: RowChange) => {
    act(to, what);
    if (to.rows.length > 1) selection.clear();
  };
  const pickWith = (kind: PickerKind, to: Targets) => to.rows.length > 0 && setPicker({ kind, targets: to });

  const onKey = (name: KeyName) => {
    const [first] = targets().rows;
    switch (name) {
      case 'next':
        return move(1);
      case 'previous':
        return move(-1);
      case 'open':
        return current.id !== null && open(current.id, false);
      case 'pick':
        return first !== undefined && current.id !== null && selection.toggle(current.id);
      case 'pickRange':
        return current.id !== null && selection.range(current.id);
      case 'pickAll':
        return selection.pickAll();
      case 'toggleUnread': {
        if (first === undefined) return;
        if (first.unread === 0 && first.id === openId) void navigate({ to: base, search });
        return change(targets(), { read: first.unread > 0 });
      }
      case 'resolve':
        return change(targets(), { status: first?.status === 'resolved' ? 'open' : 'resolved' });
      case 'resolveAndNext': {
        const next = at + 1 < ids.length ? at + 1 : at - 1;
        change(targets(), { status: 'resolved' });
        return next >= 0 && goTo(next);
      }
      case 'assignMe':
        return change(targets(), { assignee_id: me });
      case 'snooze':
      case 'assign':
      case 'tags':
      case 'priority':
        return pickWith(name, targets());
      case 'views':
        return focusViews();
      case 'search':
        setSearching(true);
        return searchRef.current?.focus();
      case 'retry':
        return current.id !== null && retryRow(current.id);
      case 'clear':
        return selection.clear();
    }
  };
  useListKeys({ mayWrite, isPicking, run: onKey });

  const onAct = (what: RowAct, id: string) => {
    if (what === 'open') {
      setCurrent(id);
      open(id, !isPhone && openId !== null);
    } else if (what === 'pick') mayWrite && selection.toggle(id);
    else if (what === 'range') mayWrite && selection.range(id);
    else if (what === 'resolve') change(targets(id), { status: 'resolved' });
    else if (what === 'retry') retryRow(id);
    else pickWith(what, targets(id));
  };
  const onMore = useCallback(() => {
    if (!query.isFetchingNextPage) void query.fetchNextPage();
  }, [query.isFetchingNextPage, query.fetchNextPage]);

  const view = place.filters.view ?? 'all';
  const title = saved?.name ?? (place.filters.q === undefined ? words.views[view] : words.search);
  const counted = place.saved !== undefined ? counts?.saved[place.saved] : counts?.views[view];
  const isWhole = query.data !== undefined && !query.hasNextPage;
  const isPlain = saved === undefined ? !isNarrowed(place.filters) : true;
  const matching = isWhole
    ? rows.length
    : isPlain && counted !== undefined && counted < 1_000
      ? counted
      : null;
  const count =
    isPlain && counted !== undefined ? words.count(counted) : isWhole ? words.count(rows.length) : null;
  return (
    <section className="p-inbox-list" aria-label={words.list}>
      <ListHeader
        title={title}
        count={count}
        place={place}
        onPlace={onPlace}
        waiting={waiting}
        onShowNew={adopt}
        isSearching={isSearching}
        onSearch={setSearching}
        searchRef={searchRef}
      />
      <ViewStrip place={place} />
      {query.isPending && <Skeletons rows={9} height={56} tile />}
      {query.error !== null && rows.length === 0 && (
        <div className="p-list-fault">
          <ErrorState error={query.error} title={words.failed} onRetry={() => void query.refetch()} />
        </div>
      )}
      {query.data !== undefined && rows.length === 0 && (
        <EmptyList place={place} isFirst={counts?.views.all === 0} />
      )}
      <Rows
        rows={rows}
        current={current.id}
        isPicked={selection.isPicked}
        isPicking={isPicking}
        mayWrite={mayWrite}
        hasMore={query.hasNextPage}
        onMore={onMore}
        onAct={onAct}
        onMove={move}
        onHold={setHeld}
        addressOf={(id) => `/dashboard${base}/${id}?${new URLSearchParams(search)}`}
      />
      {running !== null && (
        <BulkProgress running={running} onEnd={(ended, isReturn) => void finish(ended, isReturn)} />
      )}
      {isPicking ? (
        <BulkBar
          count={selection.size}
          isAll={selection.all}
          matching={matching}
          mayDelete={mayDelete}
          onAct={(what) => {
            if (what === 'resolve') change(targets(), { status: 'resolved' });
            else if (what === 'delete') change(targets(), { delete: true });
            else pickWith(what, targets());
          }}
          onPickAll={selection.pickAll}
          onClear={selection.clear}
        />
      ) : (
        <KeyHints isEmpty={rows.length === 0} mayWrite={mayWrite} />
      )}
      {picker !== null && (
        <Pickers
          kind={picker.kind}
          targets={picker.targets}
          agents={agents}
          onClose={() => {
            setPicker(null);
            if (picker.targets.rows.length > 1) selection.clear();
          }}
          onChange={(what) => {
            const wanted = new Set(picker.targets.rows.map(({ id }) => id));
            const now = rows.flatMap(({ row }) => (wanted.has(row.id) ? [row] : []));
            act({ ...picker.targets, rows: now }, what);
          }}
        />
      )}
    </section>
  );
}

/** The row that keys act on, and where it stands: if it goes, the next one is at its place. */
function useCurrent(openId: string | null, ids: readonly string[]) {
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
