import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { useMe } from '../../../api/queries/me.ts';
import { focusViews } from '../views/focus-views.ts';
import type { BulkAct } from './bulk/bulk-bar.tsx';
import type { useSelection } from './bulk/use-selection.ts';
import type { KeyName } from './list-keys.ts';
import type { PickerKind } from './pickers/pickers.tsx';
import type { RowChange } from './rows/predict-change.ts';
import { retryRow } from './rows/row-edits.ts';
import type { RowAct } from './rows/rows.tsx';
import type { ListedRow } from './rows/use-rows.ts';
import type { Targets } from './use-actions.ts';
import { useListKeys } from './use-list-keys.ts';

interface CommandsOptions {
  readonly rows: readonly ListedRow[];
  readonly current: { readonly id: string | null; readonly place: number };
  readonly openId: string | null;
  readonly isPhone: boolean;
  readonly selection: ReturnType<typeof useSelection>;
  readonly mayWrite: boolean;
  /** Whether further conversations match that are not loaded. */
  readonly hasMore: boolean;
  readonly act: (targets: Targets, change: RowChange) => void;
  readonly onCurrent: (id: string) => void;
  readonly onOpen: (id: string, replace: boolean) => void;
  readonly onClose: () => void;
  readonly onPick: (kind: PickerKind, targets: Targets) => void;
  readonly onSearch: () => void;
}

/** The commands of keys and the pointer: for the selection if there is one, otherwise for the current row. */
export function useCommands(options: CommandsOptions) {
  const { rows, current, openId, isPhone, selection, mayWrite, hasMore, act } = options;
  const me = useMe().person.id;
  const ids = rows.map(({ row }) => row.id);
  const at = ids.indexOf(current.id ?? '');
  const isPicking = selection.size > 0;
  const opening = useRef(0);

  const goTo = (index: number) => {
    const id = ids[Math.max(0, Math.min(ids.length - 1, index))];
    if (id === undefined) return;
    // The row is drawn before the conversation: with several keys in a row, only the last one draws it.
    flushSync(() => options.onCurrent(id));
    cancelAnimationFrame(opening.current);
    if (isPhone || id === openId) return;
    opening.current = requestAnimationFrame(() => setTimeout(() => options.onOpen(id, openId !== null)));
  };
  // If a row has gone, the one in its place is the next.
  const move = (step: 1 | -1) => goTo(at >= 0 ? at + step : step === 1 ? current.place : current.place - 1);
  const rowsOf = (isWanted: (id: string) => boolean) =>
    rows.flatMap(({ row }) => (isWanted(row.id) ? [row] : []));
  const picked = (): Targets => ({ rows: rowsOf(selection.isPicked), all: selection.all && hasMore });
  const one = (wanted: string | null): Targets => ({ rows: rowsOf((id) => id === wanted), all: false });
  const targets = () => (isPicking ? picked() : one(current.id));
  const change = (to: Targets, what: RowChange) => {
    act(to, what);
    if (to.rows.length > 1 || to.all) selection.clear();
  };
  const pickWith = (kind: PickerKind, to: Targets) => {
    if (to.rows.length > 0) options.onPick(kind, to);
  };
  const withCurrent = (run: (id: string) => void) => {
    if (current.id !== null && at >= 0) run(current.id);
  };
  const toggleUnread = () => {
    const [first] = targets().rows;
    if (first === undefined) return;
    // An open conversation is read again at once.
    if (first.unread === 0 && first.id === openId) options.onClose();
    change(targets(), { read: first.unread > 0 });
  };

  const commands: Readonly<Record<KeyName, () => void>> = {
    next: () => move(1),
    previous: () => move(-1),
    open: () => withCurrent((id) => options.onOpen(id, false)),
    pick: () => withCurrent(selection.toggle),
    pickRange: () => withCurrent(selection.range),
    pickAll: selection.pickAll,
    toggleUnread,
    resolve: () => change(targets(), { status: statusByKey(targets()) }),
    reopen: () => {
      const { rows: wanted, all } = targets();
      change({ rows: wanted.filter(({ status }) => status === 'resolved'), all }, { status: 'open' });
    },
    resolveAndNext: () => {
      const next = at + 1 < ids.length ? at + 1 : at - 1;
      change(targets(), { status: 'resolved' });
      if (next >= 0) goTo(next);
    },
    assignMe: () => change(targets(), { assignee_id: me }),
    snooze: () => pickWith('snooze', targets()),
    assign: () => pickWith('assign', targets()),
    tags: () => pickWith('tags', targets()),
    priority: () => pickWith('priority', targets()),
    views: focusViews,
    search: options.onSearch,
    retry: () => withCurrent(retryRow),
    clear: selection.clear,
  };
  useListKeys({
    mayWrite,
    isPicking,
    isFirst: isPicking || at >= 0,
    run: (name) => commands[name](),
  });

  const onAct = (what: RowAct, id: string) => {
    const to = isPicking && selection.isPicked(id) ? picked() : one(id);
    const acts: Readonly<Record<RowAct, () => void>> = {
      open: () => {
        options.onCurrent(id);
        options.onOpen(id, !isPhone && openId !== null);
      },
      pick: () => mayWrite && selection.toggle(id),
      range: () => mayWrite && selection.range(id),
      resolve: () => change(to, { status: 'resolved' }),
      retry: () => retryRow(id),
      snooze: () => pickWith('snooze', to),
      assign: () => pickWith('assign', to),
    };
    acts[what]();
  };
  const onBulk = (what: BulkAct) => {
    if (what === 'resolve') change(picked(), { status: 'resolved' });
    else if (what === 'delete') change(picked(), { delete: true });
    else pickWith(what, picked());
  };
  return { move, onAct, onBulk };
}

/** The same key resolves one conversation or opens it again; of several, none is opened by accident. */
function statusByKey({ rows: [first, ...more], all }: Targets): 'open' | 'resolved' {
  return first?.status === 'resolved' && more.length === 0 && !all ? 'open' : 'resolved';
}
