import { notifications } from '@mantine/notifications';
import { toProblem } from '../../api/problem.ts';
import { type Document, useChangeDocuments } from '../../api/queries/documents.ts';
import { useTexts } from '../../texts/texts.tsx';
import { offerUndo } from '../../undo/undo.tsx';

/** Deletes documents at once and offers to restore them. The server can restore them for longer than is offered. */
export function useDeleteDocuments(workspace: string) {
  const { texts } = useTexts();
  const { deleted, notDone } = texts.knowledge.bulk;
  const { mutateAsync: change } = useChangeDocuments(workspace);
  const tell = (message: string) => notifications.show({ message, color: 'red', role: 'alert' });
  const attempt = async (ids: readonly string[], action: 'delete' | 'restore') => {
    const failures = await change({ ids, action });
    const [first] = failures;
    if (first !== undefined) tell(notDone(failures.length, first.detail));
    return failures.length === 0;
  };
  return async (documents: readonly Document[]): Promise<boolean> => {
    const ids = documents.map(({ id }) => id);
    const [only] = documents;
    const done =
      only !== undefined && documents.length === 1
        ? texts.knowledge.page.deleted(only.title)
        : deleted(documents.length);
    try {
      const isDone = await attempt(ids, 'delete');
      if (isDone)
        offerUndo(done, () => attempt(ids, 'restore').catch((error) => tell(toProblem(error).message)));
      return isDone;
    } catch (error) {
      tell(toProblem(error).message);
      return false;
    }
  };
}
