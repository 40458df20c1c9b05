import { Button, Progress, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { toProblem } from '../../../../api/problem.ts';
import { abortAction, actionQuery, isRunning, undoAction } from '../../../../api/queries/inbox.ts';
import { useWorkspaceId } from '../../../../api/queries/workspace.ts';
import { Square, Undo2 } from '../../../../icons.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { useTexts } from '../../../../texts/texts.tsx';
import { offerUndo } from '../../../../undo/undo.tsx';
import type { Running } from '../use-actions.ts';

interface BulkProgressProps {
  readonly running: Running;
  /** Runs once the server has finished, with whether the change was undone. */
  readonly onEnd: (running: Running, isReturn: boolean) => void;
}

/** The progress of a change of many conversations, with a button to stop it. */
export function BulkProgress({ running, onEnd }: BulkProgressProps) {
  const { texts } = useTexts();
  const words = texts.inbox;
  const workspace = useWorkspaceId();
  const client = useQueryClient();
  const { data: action, error } = useQuery(actionQuery(workspace, running.id));
  const isOver = error !== null || (action !== undefined && !isRunning(action));
  const latest = useRef({ onEnd, words, action });
  latest.current = { onEnd, words, action };
  useEffect(() => {
    if (!isOver) return;
    const { action: ended, onEnd: end, words: said } = latest.current;
    const status = ended?.status;
    if (error !== null) tell(said.bulk.unknown);
    if (
      ended !== undefined &&
      running.change.delete !== true &&
      (status === 'done' || status === 'aborted')
    ) {
      const done =
        status === 'done'
          ? said.doneOf(running.change, { changing: ended.changed, all: ended.total })
          : said.bulk.stopped(ended.done, ended.total);
      offerUndo(done, () => {
        void undoAction(workspace, running.id)
          .then((undoing) => waitForEnd(client, workspace, undoing.id))
          .catch((fault: unknown) => tell(said.notUndone(toProblem(fault).message || said.unreachable)))
          .then(() => end(running, true));
      });
    }
    end(running, status === 'undone' || status === 'aborted');
  }, [isOver, error, running, workspace, client]);
  if (action === undefined || isOver) return null;
  const { status, done, undone, total } = action;
  const isDelayed = status === 'waiting' && running.change.delete === true;
  const stop = () =>
    void (isDelayed ? undoAction(workspace, running.id) : abortAction(workspace, running.id))
      .then((next) => client.setQueryData(actionQuery(workspace, running.id).queryKey, next))
      .catch((fault: unknown) => {
        const why = toProblem(fault).message || words.unreachable;
        tell(isDelayed ? words.notUndone(why) : words.notDone(words.bulk.stop, why));
      });
  const shown = status === 'undoing' ? undone : done;
  const doing = words.doing(running.change, running.counts ?? { changing: total, all: total });
  return (
    <section className="p-list-progress" aria-label={doing}>
      <div className="p-list-bulk-line">
        <Text fw={500} role="status" className="p-numbers">
          {status === 'undoing' ? words.bulk.undoing : doing}{' '}
          <span className="p-dim">{isDelayed ? words.bulk.waits : words.bulk.progress(shown, total)}</span>
        </Text>
        {status !== 'undoing' && (
          <Button
            size="xs"
            variant="default"
            ms="auto"
            leftSection={<Icon of={isDelayed ? Undo2 : Square} size={12} />}
            onClick={stop}
          >
            {isDelayed ? texts.frame.undo : words.bulk.stop}
          </Button>
        )}
      </div>
      <Progress
        size={4}
        value={total === 0 ? 100 : (shown / total) * 100}
        animated={false}
        aria-label={doing}
      />
    </section>
  );
}

const tell = (message: string) => notifications.show({ className: 'p-toast', message });

type Client = ReturnType<typeof useQueryClient>;

async function waitForEnd(client: Client, workspace: string, id: string): Promise<void> {
  for (;;) {
    const action = await client.fetchQuery({ ...actionQuery(workspace, id), staleTime: 0 });
    if (!isRunning(action)) return;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
