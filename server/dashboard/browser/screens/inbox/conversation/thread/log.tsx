import { Button } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import {
  markSeen,
  refreshLists,
  type TimelineEntry,
  timelineQuery,
} from '../../../../api/queries/conversation.ts';
import { ArrowUp } from '../../../../icons.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { ErrorState } from '../../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../../parts/states/skeletons.tsx';
import { useTexts } from '../../../../texts/texts.tsx';
import { type Outgoing, seeMessages, useOutgoing } from '../../composer/outbox.ts';
import { useDesk } from '../use-desk.ts';
import { useTimes } from '../use-times.ts';
import { ChangeLine } from './change-line.tsx';
import { Message } from './message.tsx';
import { NoteCard } from './note-card.tsx';
import { OutgoingMessage } from './outgoing-message.tsx';

/** The messages, notes and changes, oldest first. It opens at the first message that the person has not seen, and loads upwards. */
export function Log() {
  const { texts } = useTexts();
  const words = texts.conversation;
  const { place } = useDesk();
  const query = useInfiniteQuery(timelineQuery(place));
  const { data, error, refetch } = query;
  const entries = useMemo(() => oldestFirst(data?.pages.flatMap((page) => page.entries) ?? []), [data]);
  if (data === undefined) {
    return (
      <div className="p-log">
        {error === null ? (
          <Skeletons rows={6} height={72} />
        ) : (
          <ErrorState error={error} title={words.notLoaded} onRetry={() => void refetch()} />
        )}
      </div>
    );
  }
  return <Thread entries={entries} query={query} />;
}

/** Pages overlap if a message arrived between two requests. */
function oldestFirst(newest: readonly TimelineEntry[]): readonly TimelineEntry[] {
  const known = new Map(newest.toReversed().map((entry) => [idOf(entry), entry] as const));
  const all = [...known.values()];
  const taken = new Set(
    all.flatMap((entry) => (isChange(entry, 'assignee_changed') ? [entry.change.at] : [])),
  );
  // A takeover is shown once.
  return all.filter(
    (entry) =>
      !(
        isChange(entry, 'status_changed') &&
        entry.change.details.to === 'claimed' &&
        taken.has(entry.change.at)
      ),
  );
}

function isChange(entry: TimelineEntry, action: string): entry is Extract<TimelineEntry, { kind: 'change' }> {
  return entry.kind === 'change' && entry.change.action === action;
}

function idOf(entry: TimelineEntry): string {
  if (entry.kind === 'message') return entry.message.id;
  return entry.kind === 'note' ? entry.note.id : entry.change.id;
}

function timeOf(entry: TimelineEntry): string {
  if (entry.kind === 'message') return entry.message.created_at;
  return entry.kind === 'note' ? entry.note.created_at : entry.change.at;
}

interface ThreadProps {
  readonly entries: readonly TimelineEntry[];
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
}

/** Closer to the end than this, in pixels, the person reads the newest messages. */
const nearEnd = 80;

function Thread({ entries, query }: ThreadProps) {
  const { texts } = useTexts();
  const words = texts.conversation;
  const { place } = useDesk();
  const times = useTimes();
  const outgoing = useOutgoing(place.conversation);
  const box = useRef<HTMLElement>(null);
  const firstUnread = useFirstUnread(entries);
  const { below, toEnd, onScroll, loadEarlier } = useScrolling(box, {
    entries,
    outgoing: outgoing.length,
    query,
  });
  useSeen(entries, below === 0);
  let day = '';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the thread is scrolled with the keyboard
    <section className="p-log" ref={box} role="log" aria-label={words.log} tabIndex={0} onScroll={onScroll}>
      <div className="p-log-inner">
        {query.hasNextPage ? (
          <Button
            variant="default"
            size="xs"
            className="p-log-earlier"
            leftSection={<Icon of={ArrowUp} size={14} />}
            loading={query.isFetchingNextPage}
            onClick={loadEarlier}
          >
            {words.loadEarlier}
          </Button>
        ) : (
          entries.length === 0 && <p className="p-line">{words.empty}</p>
        )}
        {entries.map((entry, position) => {
          const id = idOf(entry);
          const key = times.dayKey(timeOf(entry));
          const begins = key !== day;
          day = key;
          return (
            <Fragment key={id}>
              {begins && <p className="p-line p-log-day">{times.day(timeOf(entry))}</p>}
              {id === firstUnread && (
                <p className="p-line p-log-new" data-first-unread>
                  {words.newMessages}
                </p>
              )}
              <Entry entry={entry} isLastOfAll={position === entries.length - 1} />
            </Fragment>
          );
        })}
        {outgoing.map((each) =>
          each.state === 'returned' || isStored(entries, each) ? null : (
            <OutgoingMessage key={each.key} outgoing={each} />
          ),
        )}
      </div>
      {below > 0 && (
        <Button className="p-log-below" size="xs" variant="default" onClick={toEnd}>
          {words.newBelow(below)}
        </Button>
      )}
    </section>
  );
}

function Entry({ entry, isLastOfAll }: { readonly entry: TimelineEntry; readonly isLastOfAll: boolean }) {
  if (entry.kind === 'message') return <Message entry={entry} isLastOfAll={isLastOfAll} />;
  if (entry.kind === 'note') return <NoteCard note={entry.note} />;
  return <ChangeLine change={entry.change} />;
}

/** Whether the thread contains a reply whose answer was lost. */
function isStored(entries: readonly TimelineEntry[], { state, content, dueAt }: Outgoing): boolean {
  if (state === 'waiting') return false;
  return entries.some(
    (entry) =>
      entry.kind === 'message' &&
      entry.message.role === 'agent' &&
      entry.message.content === content &&
      Date.parse(entry.message.created_at) > dueAt - clockDriftMs,
  );
}

/** The possible difference between the clocks of the browser and of the server. */
const clockDriftMs = 60_000;

const isOfVisitor = (entry: TimelineEntry) => entry.kind === 'message' && entry.message.role === 'user';

/** The first message of the visitor that the person had not seen when they opened the conversation. */
function useFirstUnread(entries: readonly TimelineEntry[]): string | null {
  const { head } = useDesk();
  const [seen] = useState(head.seen_position);
  return useMemo(() => {
    if (seen === null) return null;
    const found = entries.find(
      (entry) => entry.kind === 'message' && isOfVisitor(entry) && entry.position > seen,
    );
    return found === undefined ? null : idOf(found);
  }, [entries, seen]);
}

interface Shown {
  readonly entries: readonly TimelineEntry[];
  readonly outgoing: number;
  readonly query: ThreadProps['query'];
}

/** Keeps the place: earlier messages come above it, new ones below, and nothing moves what is being read. */
function useScrolling(box: React.RefObject<HTMLElement | null>, { entries, outgoing, query }: Shown) {
  const [below, setBelow] = useState(0);
  /** Pixels between the place and the end, before earlier messages came. */
  const fromEnd = useRef<number | null>(null);
  const isAtEnd = useRef(true);
  const opened = useRef(false);
  const count = useRef(entries.length);
  const newest = entries.at(-1);
  const lastId = newest === undefined ? '' : idOf(newest);
  const last = useRef(lastId);
  const sent = useRef(outgoing);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    if (!opened.current) {
      opened.current = true;
      const noteId = new URLSearchParams(location.search).get('note') ?? '';
      const note = element.querySelector(`#${CSS.escape(`entry-${noteId}`)}`);
      const unread = note ?? element.querySelector('[data-first-unread]');
      if (unread === null) element.scrollTop = element.scrollHeight;
      else unread.scrollIntoView({ block: 'start' });
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd;
    } else if (fromEnd.current !== null && entries.length !== count.current) {
      element.scrollTop = element.scrollHeight - fromEnd.current;
      fromEnd.current = null;
    } else if (isAtEnd.current || outgoing > sent.current) {
      element.scrollTop = element.scrollHeight;
    } else if (lastId !== last.current) {
      const added = entries.length - count.current;
      if (added > 0) setBelow((before) => before + added);
    }
    count.current = entries.length;
    last.current = lastId;
    sent.current = outgoing;
  }, [box, entries, lastId, outgoing]);
  // Content that loads or folds out keeps the end in sight.
  useEffect(() => {
    const element = box.current;
    const inner = element?.firstElementChild;
    if (element == null || inner == null) return;
    const watcher = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    });
    watcher.observe(inner);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [box]);
  const loadEarlier = useCallback(() => {
    const element = box.current;
    if (element === null || query.isFetchingNextPage || !query.hasNextPage) return;
    fromEnd.current = element.scrollHeight - element.scrollTop;
    void query.fetchNextPage();
  }, [box, query]);
  const onScroll = () => {
    const element = box.current;
    if (element === null) return;
    isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd;
    if (isAtEnd.current) setBelow(0);
    if (element.scrollTop < 200) loadEarlier();
  };
  const toEnd = () => {
    const element = box.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
    setBelow(0);
  };
  return { below, toEnd, onScroll, loadEarlier };
}

/** Tells the server what was read, once it is on the screen and the page has the attention. */
function useSeen(entries: readonly TimelineEntry[], isAtEnd: boolean): void {
  const { place } = useDesk();
  const client = useQueryClient();
  const told = useRef(-1);
  const messages = useMemo(() => entries.filter((entry) => entry.kind === 'message'), [entries]);
  const position = messages.at(-1)?.position ?? -1;
  useEffect(() => {
    seeMessages(
      place.conversation,
      messages.map(({ message }) => message.id),
    );
  }, [place, messages]);
  useEffect(() => {
    if (!isAtEnd || position <= told.current) return;
    const tell = () => {
      if (document.visibilityState !== 'visible' || position <= told.current) return;
      told.current = position;
      markSeen(place, { position }).then(
        () => refreshLists(client, place.workspace),
        // Reading is told again with the next message.
        () => {},
      );
    };
    tell();
    document.addEventListener('visibilitychange', tell);
    return () => document.removeEventListener('visibilitychange', tell);
  }, [client, place, position, isAtEnd]);
}
