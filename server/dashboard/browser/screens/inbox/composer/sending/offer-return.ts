import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { toProblem } from '../../../../api/problem.ts';
import { conversationQuery, refreshLists } from '../../../../api/queries/conversation.ts';
import { changeConversation } from '../../../../api/queries/inbox.ts';
import { useTexts } from '../../../../texts/texts.tsx';
import { offerUndo, withdrawUndo } from '../../../../undo/undo.tsx';
import { useDesk } from '../../conversation/use-desk.ts';
import { useDeskWords } from '../../desk-words.ts';
import { isWaiting, returnReply, setStatusAfterReply, watchReply } from '../outbox.ts';

interface Sent {
  /** That of the reply in the outbox. */
  readonly key: string;
  readonly resolves: boolean;
}

/**
 * Offers on the next screen to take a reply back. While it waits, its text comes back to its conversation; a reply that has
 * left stays, and only the resolution is taken back. Nothing is offered when there is nothing left to take back.
 */
export function useOfferReturn(): (sent: Sent) => void {
  const { texts } = useTexts();
  const words = useDeskWords();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { place, head, name } = useDesk();
  return useCallback(
    ({ key, resolves }) => {
      if (!resolves && !isWaiting(key)) return;
      const { workspace, conversation } = place;
      const reopen = async () => {
        // After a reply, a person has the conversation.
        const status = head.status === 'resolved' ? 'claimed' : head.status;
        const until = status === 'snoozed' && head.snooze_until !== null ? head.snooze_until : undefined;
        const before = { status, ...(until !== undefined && { snooze_until: until }) };
        // A reply that is tried again must not resolve it afterwards.
        setStatusAfterReply(conversation, before);
        await changeConversation(workspace, conversation, before);
        void client.invalidateQueries({ queryKey: conversationQuery(place).queryKey });
        await refreshLists(client, workspace);
      };
      const undo = () => {
        const isBack = returnReply(key);
        if (!isBack && resolves) {
          reopen().catch((error: unknown) => {
            const why = toProblem(error).message || texts.inbox.unreachable;
            notifications.show({ className: 'p-toast', message: texts.inbox.notUndone(why) });
          });
        }
        void navigate({
          to: `/w/${workspace}/inbox/${conversation}`,
          search: (before: Record<string, string>) => before,
        });
      };
      offerUndo(resolves ? words.sentAndResolved(name) : words.sent(name), undo);
      watchReply(key, (state) => {
        // A refused reply has come back already.
        if (state === 'returned' || (state !== 'waiting' && !resolves)) withdrawUndo(undo);
      });
    },
    [client, navigate, place, head, name, texts, words],
  );
}
