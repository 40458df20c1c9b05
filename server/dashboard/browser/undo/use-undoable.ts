import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { toProblem } from '../api/problem.ts';
import { offerUndoOf } from './undo.tsx';

interface Undoable<Item> {
  readonly act: (item: Item) => Promise<unknown>;
  readonly undo: (item: Item) => Promise<unknown>;
  /** Says what was done. */
  readonly done: (item: Item) => string;
  /** Runs after either, whether it failed or not. */
  readonly refresh: () => unknown;
}

/**
 * Does something and offers at once to take it back. That works from every screen, so its failure is told in a
 * notification.
 */
export function useUndoable<Item>({ act, undo, done, refresh }: Undoable<Item>) {
  const takeBack = (item: Item) =>
    undo(item)
      .catch((error) =>
        notifications.show({ message: toProblem(error).message, color: 'red', role: 'alert' }),
      )
      .finally(refresh);
  return useMutation({
    mutationFn: (item: Item) => {
      const change = act(item);
      offerUndoOf(change, done(item), () => void takeBack(item));
      return change;
    },
    onSettled: refresh,
  });
}
