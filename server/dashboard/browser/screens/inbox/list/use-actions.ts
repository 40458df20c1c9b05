import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import {
  actionQuery,
  agentsQuery,
  changeConversation,
  countsQuery,
  type InboxRow,
  type ListPlace,
  listsKey,
  markRead,
  markUnread,
  refreshPages,
  startAction,
  takeBackChange,
  undoAction,
} from '../../../api/queries/inbox.ts';
import { useMay } from '../../../api/queries/workspace.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { offerUndo, offerUndoOf } from '../../../undo/undo.tsx';
import { setStatusAfterReply } from '../composer/outbox.ts';
import {
  predictRow,
  type RowChange,
  restoreRow,
  toConversationChange,
  toReverse,
} from './rows/predict-change.ts';
import { editRows, tellTrouble } from './rows/row-edits.ts';

/** The conversations that a change is for. */
export interface Targets {
  /** Those on the screen. */
  readonly rows: readonly InboxRow[];
  /** Whether it is for all that match the list, also those that are not loaded. */
  readonly all: boolean;
}

/** A bulk action that the server runs. */
export interface Running {
  readonly id: string;
  readonly change: RowChange;
  /** Those of the screen. */
  readonly ids: readonly string[];
  /** The progress and the total; null if only the server knows it. */
  readonly counts: ChangeCounts | null;
  /** Ends the change on the screen. */
  readonly settle: () => void;
}

/** Conversations that a change is for, and those of them that do not have its status yet. */
interface ChangeCounts {
  readonly changing: number;
  readonly all: number;
}

interface ActionsOptions {
  readonly place: ListPlace;
  /** The text that was searched in the place of the typed one; null if that was. */
  readonly searchedFor: string | null;
  /** Called when a change is undone: these conversations may come back at their place. */
  readonly onReturn: (ids: readonly string[]) => void;
}

/** Changes of conversations: shown at once, and undone with the reason in the row if the server refuses. */
export function useActions({ place, searchedFor, onReturn }: ActionsOptions) {
  const { texts } = useTexts();
  const client = useQueryClient();
  const { workspace } = place;
  const mayWrite = useMay('inbox:reply');
  const { data: agents = [] } = useQuery({ ...agentsQuery(workspace), enabled: mayWrite });
  const [running, setRunning] = useState<Running | null>(null);
  const latest = useRef({ place, searchedFor, agents, texts, onReturn });
  latest.current = { place, searchedFor, agents, texts, onReturn };

  const refresh = useCallback(
    async (ids: readonly string[]) => {
      void client.invalidateQueries({ queryKey: countsQuery(workspace).queryKey });
      for (const id of ids) void client.invalidateQueries({ queryKey: ['conversation', workspace, id] });
      await refreshPages(client, latest.current.place, new Set(ids));
      // Other lists are loaded again when they are opened.
      void client.invalidateQueries({ queryKey: listsKey(workspace), refetchType: 'none' });
    },
    [client, workspace],
  );

  const tellNotUndone = useCallback((ids: readonly string[], error: unknown, retry: () => void) => {
    const words = latest.current.texts.inbox;
    const text = words.notUndone(toProblem(error).message || words.unreachable);
    tellTrouble(ids, { text, retry });
  }, []);

  const takeBack = useCallback(
    async (row: InboxRow, change: RowChange, sent: Promise<unknown>): Promise<void> => {
      const body = toReverse(row, change);
      const settle = editRows([row.id], (now) => restoreRow(now, row, change));
      latest.current.onReturn([row.id]);
      setStatusAfterReply(row.id, body);
      try {
        await takeBackChange(workspace, row.id, { body, change: sent });
        await refresh([row.id]);
        settle();
      } catch (error) {
        settle();
        tellNotUndone([row.id], error, () => void takeBack(row, change, sent));
      }
    },
    [workspace, refresh, tellNotUndone],
  );

  const actOnOne = useCallback(
    async (row: InboxRow, change: RowChange): Promise<void> => {
      const words = latest.current.texts.inbox;
      const settle = editRows([row.id], (before) => predictRow(before, change, latest.current.agents));
      try {
        if (change.read === true) await markRead(workspace, row.id);
        else if (change.read === false) await markUnread(workspace, row.id);
        else {
          setStatusAfterReply(row.id, change);
          const sent = changeConversation(workspace, row.id, toConversationChange(row, change));
          offerUndo(words.done(change, 1), () => void takeBack(row, change, sent), sent);
          await sent;
        }
      } catch (error) {
        settle();
        const text = words.notDone(words.did(change), toProblem(error).message || words.unreachable);
        tellTrouble([row.id], { text, retry: () => void actOnOne(row, change) });
        return;
      }
      await refresh([row.id]);
      settle();
    },
    [workspace, refresh, takeBack],
  );

  const actOnMany = useCallback(
    async (targets: Targets, change: RowChange): Promise<void> => {
      const words = latest.current.texts.inbox;
      const ids = targets.rows.map(({ id }) => id);
      const { read: _, ...bulk } = change;
      const settle = editRows(ids, (before) =>
        change.delete === true ? null : predictRow(before, change, latest.current.agents),
      );
      try {
        const { place, searchedFor: q } = latest.current;
        // All that match are those of the list.
        const filters = q === null ? place.filters : { ...place.filters, q };
        // Conversations that wait for a person keep their status.
        const wanted = change.status === 'open' ? { ...filters, status: ['resolved' as const] } : filters;
        const range = targets.all ? { filters: wanted } : { ids };
        const counts = targets.all ? null : countChanges(targets.rows, change);
        const started = startAction(workspace, range, bulk);
        // At its end the action offers an undo, with the number of conversations.
        const isCounted = change.delete === true && !targets.all;
        offerUndoOf(started, isCounted ? words.deleting(ids.length) : words.doing(change, counts), () => {
          latest.current.onReturn(ids);
          const undo = () =>
            void started
              .then(({ id }) => undoAction(workspace, id))
              .then((action) => client.setQueryData(actionQuery(workspace, action.id).queryKey, action))
              .catch((error: unknown) => tellNotUndone(ids, error, undo));
          undo();
        });
        const { id } = await started;
        setRunning({ id, change, ids, counts, settle });
      } catch (error) {
        settle();
        const text = words.notDone(words.did(change), toProblem(error).message || words.unreachable);
        tellTrouble(ids, { text, retry: () => void actOnMany(targets, change) });
      }
    },
    [client, workspace, tellNotUndone],
  );

  const act = useCallback(
    (targets: Targets, change: RowChange) => {
      const [first] = targets.rows;
      if (first === undefined) return;
      if (change.read !== undefined) {
        for (const row of targets.rows) void actOnOne(row, change);
      } else if (targets.rows.length === 1 && !targets.all && change.delete !== true) {
        void actOnOne(first, change);
      } else void actOnMany(targets, change);
    },
    [actOnOne, actOnMany],
  );

  const finish = useCallback(
    async (done: Running, isReturn: boolean) => {
      if (isReturn) latest.current.onReturn(done.ids);
      setRunning((now) => (now?.id === done.id ? null : now));
      await client.invalidateQueries({ queryKey: listsKey(workspace) });
      void client.invalidateQueries({ queryKey: ['conversation', workspace] });
      void client.invalidateQueries({ queryKey: countsQuery(workspace).queryKey });
      done.settle();
    },
    [client, workspace],
  );

  return { act, running, finish, mayWrite, agents };
}

function countChanges(rows: readonly InboxRow[], { status }: RowChange): ChangeCounts {
  const has = rows.filter((row) => status === 'resolved' && row.status === status).length;
  return { changing: rows.length - has, all: rows.length };
}
