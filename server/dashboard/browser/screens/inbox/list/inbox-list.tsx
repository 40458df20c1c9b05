import { useMediaQuery } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { prefetchConversation } from '../../../api/queries/conversation.ts';
import {
  type ConversationCounts,
  countEnd,
  countsQuery,
  type SavedView,
  viewsQuery,
} from '../../../api/queries/inbox.ts';
import { useMay, useWorkspaceId } from '../../../api/queries/workspace.ts';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import type { Catalogue } from '../../../texts/english.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { isInFlight } from '../composer/outbox.ts';
import { isNarrowed, type Place, writePlace } from '../views/address.ts';
import { ViewStrip } from '../views/view-strip.tsx';
import { BulkBar } from './bulk/bulk-bar.tsx';
import { BulkProgress } from './bulk/bulk-progress.tsx';
import { useSelection } from './bulk/use-selection.ts';
import { KeyHints } from './key-hints.tsx';
import { ListHeader } from './list-header.tsx';
import { EmptyList } from './list-states.tsx';
import { type PickerKind, Pickers } from './pickers/pickers.tsx';
import { Rows } from './rows/rows.tsx';
import { type ListedRow, useRows } from './rows/use-rows.ts';
import { SearchedLine } from './searched-line.tsx';
import { type Targets, useActions } from './use-actions.ts';
import { useCommands } from './use-commands.ts';
import { useCurrent } from './use-current.ts';

/** The calls of the conversation to the list. */
export interface ListHandle {
  /** Opens the next conversation that is not answered yet. False if there is none: the open one is closed. */
  readonly openNext: () => boolean;
}

interface InboxListProps {
  readonly ref: Ref<ListHandle>;
  readonly place: Place;
  /** The conversation of the address. */
  readonly openId: string | null;
}

/** The column of conversations: the view, its rows, and everything that keys and the pointer do to them. */
export function InboxList({ ref, place, openId }: InboxListProps) {
  const { texts } = useTexts();
  const words = texts.inbox;
  const workspace = useWorkspaceId();
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayDelete = useMay('inbox:delete');
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const listPlace = useMemo(
    () => ({ workspace, filters: place.filters, sort: place.sort }),
    [workspace, place.filters, place.sort],
  );
  const list = JSON.stringify([place.filters, place.sort]);
  const { query, rows, waiting, adopt, expect, setHeld } = useRows(listPlace, openId);
  const ids = useMemo(() => rows.map(({ row }) => row.id), [rows]);
  const { current, setCurrent } = useCurrent(openId, ids);
  const selection = useSelection(list, ids);
  const isPicking = selection.size > 0;
  const searched = query.data?.pages[0]?.searched ?? null;
  const { act, running, finish, mayWrite, agents } = useActions({
    place: listPlace,
    searchedFor: searched?.q ?? null,
    onReturn: expect,
  });
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
    // Conversations that a key can open next are loaded in advance.
    for (const id of [ids[at], ids[at + 1], ids[at - 1]]) {
      if (id !== undefined) prefetchConversation(client, { workspace, conversation: id });
    }
  }, [client, workspace, ids, at]);

  useImperativeHandle(
    ref,
    (): ListHandle => ({
      openNext: () => {
        const next = findNext(rows, openId);
        if (next === null) void navigate({ to: base, search });
        else {
          setCurrent(next);
          open(next, true);
        }
        return next !== null;
      },
    }),
    [rows, openId, setCurrent, open, navigate, base, search],
  );

  const commands = useCommands({
    ...{ rows, current, openId, isPhone, selection, mayWrite, act },
    hasMore: query.hasNextPage,
    onCurrent: setCurrent,
    onOpen: open,
    onClose: () => void navigate({ to: base, search }),
    onPick: (kind, targets) => setPicker({ kind, targets }),
    onSearch: () => {
      setSearching(true);
      searchRef.current?.focus();
    },
  });
  const onMore = useCallback(() => {
    if (!query.isFetchingNextPage) void query.fetchNextPage();
  }, [query.isFetchingNextPage, query.fetchNextPage]);

  const { title, count, matching } = describeList({
    ...{ place, counts, saved, texts, loaded: rows.length },
    isWhole: query.data !== undefined && !query.hasNextPage,
  });
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
      {searched !== null && <SearchedLine place={place} searched={searched} onPlace={onPlace} />}
      {query.isPending && <Skeletons rows={9} height={56} tile />}
      {query.error !== null && rows.length === 0 && (
        <div className="p-list-fault">
          <ErrorState error={query.error} title={words.failed} onRetry={() => void query.refetch()} />
        </div>
      )}
      {query.error !== null && rows.length > 0 && (
        <div className="p-list-fault">
          <FaultLine>{words.stale}</FaultLine>
        </div>
      )}
      {query.data !== undefined && rows.length === 0 && (
        <EmptyList place={place} isFirst={counts?.views.all === 0} />
      )}
      <Rows
        rows={rows}
        current={current.id}
        openId={openId}
        isPicked={selection.isPicked}
        isPicking={isPicking}
        mayWrite={mayWrite}
        hasMore={query.hasNextPage}
        onMore={onMore}
        onAct={commands.onAct}
        onMove={commands.move}
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
          onAct={commands.onBulk}
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
          onClose={() => setPicker(null)}
          onChange={(what) => {
            const wanted = new Set(picker.targets.rows.map(({ id }) => id));
            const now = rows.flatMap(({ row }) => (wanted.has(row.id) ? [row] : []));
            act({ ...picker.targets, rows: now }, what);
            // Tags are set one after the other.
            if (picker.targets.rows.length > 1 && picker.kind !== 'tags') selection.clear();
          }}
        />
      )}
    </section>
  );
}

/** The next row, or from the beginning one that waits. Rows whose reply is on its way are dealt with. */
function findNext(rows: readonly ListedRow[], openId: string | null): string | null {
  const at = rows.findIndex(({ row }) => row.id === openId);
  const isLeft = ({ row, isGone }: ListedRow) => row.id !== openId && !isGone && !isInFlight(row.id);
  const next =
    rows.slice(at + 1).find(isLeft) ??
    rows.find((listed) => isLeft(listed) && listed.row.waiting_since !== null);
  return next?.row.id ?? null;
}

interface Described {
  readonly place: Place;
  readonly counts: ConversationCounts | undefined;
  readonly saved: SavedView | undefined;
  readonly texts: Catalogue;
  readonly loaded: number;
  /** Whether all pages are here. */
  readonly isWhole: boolean;
}

/** The name of the list, its number as shown, and the number of matching conversations if it is known. */
function describeList({ place, counts, saved, texts, loaded, isWhole }: Described) {
  const words = texts.inbox;
  const view = place.filters.view ?? 'all';
  const title = saved?.name ?? (place.filters.q === undefined ? words.views[view] : words.search);
  const counted = saved === undefined ? counts?.views[view] : counts?.saved[saved.id];
  const isCounted = counted !== undefined && (saved === undefined ? !isNarrowed(place.filters) : true);
  const end = countEnd(saved?.id ?? view);
  const whole = isWhole ? loaded : null;
  const shown = isCounted ? counted : whole;
  return {
    title,
    count: shown === null ? null : words.count(shown, end),
    matching: whole ?? (isCounted && counted < end ? counted : null),
  };
}
