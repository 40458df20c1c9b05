import { useMediaQuery, useMergedRef } from '@mantine/hooks';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useMe } from '../../../../api/queries/me.ts';
import { useTexts } from '../../../../texts/texts.tsx';
import { useSwipe } from '../../use-swipe.ts';
import { Row } from './row.tsx';
import { useRowEdits } from './row-edits.ts';
import type { ListedRow } from './use-rows.ts';

export type RowAct = 'open' | 'pick' | 'range' | 'snooze' | 'assign' | 'resolve' | 'retry';

interface RowsProps {
  readonly rows: readonly ListedRow[];
  readonly current: string | null;
  /** The open conversation, which is being read. */
  readonly openId: string | null;
  readonly isPicked: (id: string) => boolean;
  readonly isPicking: boolean;
  readonly mayWrite: boolean;
  readonly hasMore: boolean;
  readonly onMore: () => void;
  readonly onAct: (act: RowAct, id: string) => void;
  readonly onMove: (step: 1 | -1) => void;
  readonly onHold: (isHeld: boolean) => void;
  /** The address of a row, for a new tab. */
  readonly addressOf: (id: string) => string;
}

const rowHeight = 56;
const phoneRowHeight = 76;
/** The number of rows left below the window when the next page is loaded. */
const reserve = 15;

/** The list for a screen reader: one stop, in which the arrow keys move. Only the visible rows are in the page. */
export function Rows(props: RowsProps) {
  const {
    rows,
    current,
    openId,
    isPicked,
    isPicking,
    mayWrite,
    hasMore,
    onMore,
    onAct,
    onMove,
    onHold,
    addressOf,
  } = props;
  const { texts } = useTexts();
  const me = useMe().person.id;
  const now = useHalfMinute();
  const { troubles } = useRowEdits();
  const scroll = useRef<HTMLDivElement>(null);
  const height = useMediaQuery('(max-width: 47.99em)') ? phoneRowHeight : rowHeight;
  const place = rows.findIndex(({ row }) => row.id === current);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => height,
    overscan: 8,
    getItemKey: (index) => rows[index]?.row.id ?? index,
    // The current row stays in the page, so that a screen reader can read its name.
    rangeExtractor: useCallback(
      (range: Range) => {
        const shown = defaultRangeExtractor(range);
        return place < 0 || shown.includes(place) ? shown : [...shown, place].toSorted((a, b) => a - b);
      },
      [place],
    ),
  });
  const items = virtual.getVirtualItems();
  const last = virtual.range?.endIndex ?? 0;
  useEffect(() => {
    if (hasMore && rows.length > 0 && last >= rows.length - reserve) onMore();
  }, [hasMore, last, rows.length, onMore]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height needs new places
  useEffect(() => virtual.measure(), [virtual, height]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that come and go must not scroll, only another current one
  useEffect(() => {
    const { startIndex = 0, endIndex = 0 } = virtual.range ?? {};
    // Scrolling costs a layout, also if nothing moves.
    if (place >= 0 && !(place > startIndex && place < endIndex - 1))
      virtual.scrollToIndex(place, { align: 'auto' });
  }, [current]);

  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const { target, shiftKey, metaKey, ctrlKey } = event;
    if (!(target instanceof Element)) return;
    const id = target.closest<HTMLElement>('[data-row]')?.dataset.row;
    if (id === undefined) return;
    const act = target.closest<HTMLElement>('[data-act]')?.dataset.act;
    if (act === 'snooze' || act === 'assign' || act === 'resolve' || act === 'retry') onAct(act, id);
    else if (shiftKey) onAct('range', id);
    else if (act === 'pick' || isPicking) onAct('pick', id);
    else if (metaKey || ctrlKey) window.open(addressOf(id));
    else onAct('open', id);
  };
  const swiped = useSwipe({
    forward: (target) => {
      const id = target.closest<HTMLElement>('[data-row]')?.dataset.row;
      if (id !== undefined && !isPicking) onAct('open', id);
    },
  });
  const box = useMergedRef(scroll, swiped);
  const onAuxClick = ({ target, button }: MouseEvent<HTMLDivElement>) => {
    const id = target instanceof Element ? target.closest<HTMLElement>('[data-row]')?.dataset.row : undefined;
    if (button === 1 && id !== undefined) window.open(addressOf(id));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const id = rows[place]?.row.id;
    if (key === 'ArrowDown') onMove(1);
    else if (key === 'ArrowUp') onMove(-1);
    else if (key === ' ' && id !== undefined) onAct('pick', id);
    else if (key === 'Enter' && id !== undefined) onAct('open', id);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={box}
      className="p-rows"
      role="listbox"
      tabIndex={0}
      aria-label={texts.inbox.list}
      aria-multiselectable="true"
      {...(place >= 0 && { 'aria-activedescendant': rowId(rows[place]?.row.id ?? '') })}
      onClick={onClick}
      onAuxClick={onAuxClick}
      onKeyDown={onKeyDown}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && onHold(true)}
      onPointerLeave={() => onHold(false)}
      data-picking={isPicking || undefined}
    >
      <div className="p-rows-all" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const listed = rows[index];
          if (listed === undefined) return null;
          const { row, isGone } = listed;
          const picked = isPicked(row.id);
          return (
            <div
              key={row.id}
              id={rowId(row.id)}
              data-row={row.id}
              role="option"
              tabIndex={-1}
              aria-selected={isPicking ? picked : row.id === current}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : rows.length}
              className="p-rows-item"
              style={{ transform: `translateY(${start}px)`, height }}
            >
              <Row
                row={row}
                isCurrent={row.id === current}
                isOpen={row.id === openId}
                isPicked={picked}
                isGone={isGone}
                trouble={troubles.get(row.id)}
                me={me}
                now={now}
                mayWrite={mayWrite}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function rowId(id: string): string {
  return `row-${id}`;
}

/** The current time, which updates each half minute. */
function useHalfMinute(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
