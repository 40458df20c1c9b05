import { Drawer } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import {
  type Agent,
  type ConversationChange,
  conversationQuery,
  type Conversation as Head,
  type Place,
  useChangeConversation,
} from '../../../api/queries/conversation.ts';
import { agentsQuery, type InboxRow, mentionsQuery, readMentions } from '../../../api/queries/inbox.ts';
import { useMe } from '../../../api/queries/me.ts';
import { useMay, useWorkspace } from '../../../api/queries/workspace.ts';
import { useTellPresence } from '../../../live/presence.ts';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { customerName, kindName, useTexts } from '../../../texts/texts.tsx';
import { offerUndo } from '../../../undo/undo.tsx';
import { Composer } from '../composer/composer.tsx';
import { setStatusAfterReply } from '../composer/outbox.ts';
import { Details } from '../details/details.tsx';
import { predictRow, type RowChange } from '../list/rows/predict-change.ts';
import { editRows } from '../list/rows/row-edits.ts';
import { useSwipe } from '../use-swipe.ts';
import { Header } from './header.tsx';
import { Log } from './thread/log.tsx';
import { type ComposerHandle, type Desk, DeskContext } from './use-desk.ts';
import { type Pane, usePane } from './use-pane.ts';
import './conversation.css';

interface ConversationProps {
  readonly conversationId: string;
  /** Opens the next conversation of the list. */
  readonly onNext: () => void;
}

/** The open conversation with its composer and the pane of details. */
export function Conversation({ conversationId, onNext }: ConversationProps) {
  const workspace = useWorkspace();
  const id = workspace?.id ?? '';
  const place = useMemo(() => ({ workspace: id, conversation: conversationId }), [id, conversationId]);
  const { texts } = useTexts();
  const { data: head, error, refetch } = useQuery({ ...conversationQuery(place), enabled: id !== '' });
  if (head !== undefined) return <OpenConversation place={place} head={head} onNext={onNext} />;
  return (
    <div className="p-talk-missing">
      {error === null ? (
        <Skeletons rows={8} height={64} />
      ) : (
        <ErrorState error={error} title={texts.conversation.notLoaded} onRetry={() => void refetch()} />
      )}
    </div>
  );
}

interface OpenConversationProps extends Pick<ConversationProps, 'onNext'> {
  readonly place: Place;
  readonly head: Head;
}

function OpenConversation({ place, head, onNext }: OpenConversationProps) {
  const { texts } = useTexts();
  const words = texts.conversation;
  const tellWriting = useTellPresence(place);
  const composer = useRef<ComposerHandle>(null);
  const { person } = useMe();
  const mayReply = useMay('inbox:reply');
  const agents = useQuery(agentsQuery(place.workspace)).data;
  const { change, fault, fail, forget } = useUndoableChange(place, head, agents);
  const name = customerName(head, texts);
  const channelName = kindName(head.channel, texts);
  const desk = useMemo<Desk>(
    () => ({
      ...{ place, head, name, channelName, mayReply, change, fail, tellWriting, composer },
      openNext: onNext,
      agents: agents ?? [],
      me: { id: person.id, name: person.name },
    }),
    [place, head, name, channelName, mayReply, change, fail, tellWriting, onNext, agents, person],
  );
  useReadMentions(place);
  const pane = usePane();
  const swiped = useConversationSwipes(place, pane);
  useEffect(() => {
    document.title = `${name} · ${texts.frame.product}`;
  }, [name, texts]);
  return (
    <DeskContext value={desk}>
      <div className="p-talk" {...(pane.isBeside && pane.isOpen && { 'data-pane': true })}>
        <section ref={swiped.main} className="p-talk-main" aria-label={name}>
          <Header pane={pane} />
          {fault !== null && (
            <div className="p-talk-fault">
              <FaultLine>{words.notDone(fault.message)}</FaultLine>
              <button type="button" className="p-plain-link" onClick={forget}>
                {words.composer.dismiss}
              </button>
            </div>
          )}
          <Log />
          {mayReply ? <Composer /> : <p className="p-talk-readonly">{words.readOnly}</p>}
        </section>
        {pane.isBeside ? (
          pane.isOpen && <DetailsAfterThread />
        ) : (
          <Drawer
            opened={pane.isOpen}
            onClose={pane.toggle}
            position="right"
            size={320}
            title={words.details}
            closeButtonProps={{ 'aria-label': texts.frame.close }}
            styles={{ content: { background: 'var(--p-panel)' }, body: { padding: 0 } }}
          >
            <div ref={swiped.details}>
              <Details />
            </div>
          </Drawer>
        )}
      </div>
    </DeskContext>
  );
}

/** On phones, swipes lead from the list to the conversation, on to its details, and back. */
function useConversationSwipes({ workspace }: Place, pane: Pane) {
  const navigate = useNavigate();
  const main = useSwipe({
    back: () =>
      void navigate({
        to: '/w/$workspace/inbox',
        params: { workspace },
        search: (before: Record<string, string>) => before,
      }),
    forward: pane.isOpen ? undefined : pane.toggle,
  });
  const details = useSwipe({ back: pane.toggle });
  return { main, details };
}

/** The messages are drawn first, because a person who pages through conversations does not read the details. */
function DetailsAfterThread() {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setDue(true)));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return isDue ? <Details /> : <aside className="p-details" aria-hidden="true" />;
}

/** The notes that mention the person are marked as read while they look at the conversation. */
function useReadMentions({ workspace, conversation }: Place): void {
  const client = useQueryClient();
  const { data } = useQuery(mentionsQuery(workspace));
  const isNamed =
    data?.mentions.some((each) => each.conversation_id === conversation && each.read_at === null) === true;
  useEffect(() => {
    if (!isNamed) return;
    const read = () => {
      if (document.visibilityState !== 'visible') return;
      readMentions(workspace, conversation).then(
        () => client.invalidateQueries({ queryKey: mentionsQuery(workspace).queryKey }),
        // Opening it again marks them.
        () => {},
      );
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [client, workspace, conversation, isNamed]);
}

/** Changes the conversation with an undo of ten seconds, and keeps the last failure to show it. */
function useUndoableChange(place: Place, head: Head, agents: readonly Agent[] = []) {
  const { mutateAsync } = useChangeConversation(place);
  const [failure, setFailure] = useState<unknown>(null);
  const latest = useRef({ head, agents });
  latest.current = { head, agents };
  const { conversation } = place;
  const change = useCallback(
    (wanted: ConversationChange, done: string) => {
      const before = latest.current;
      const apply = async (next: ConversationChange) => {
        setFailure(null);
        setStatusAfterReply(conversation, next);
        // The row of the list shows the change too.
        const settle = editRows([conversation], (row) =>
          predictRow(row, toRowChange(row, next), before.agents),
        );
        await mutateAsync(next).finally(settle);
      };
      const takeBack = () =>
        void apply({ ...opposite(before.head, wanted), takesBack: wanted }).catch(setFailure);
      const sent = apply(wanted);
      offerUndo(done, takeBack, sent);
      sent.catch(setFailure);
    },
    [conversation, mutateAsync],
  );
  const forget = useCallback(() => setFailure(null), []);
  return { change, fail: setFailure, forget, fault: failure === null ? null : toProblem(failure) };
}

function toRowChange(
  row: InboxRow,
  { status, assignee, priority, tags, snooze_until }: ConversationChange,
): RowChange {
  return {
    ...(status !== undefined && { status }),
    ...(snooze_until !== undefined && { snooze_until }),
    ...(assignee !== undefined && { assignee_id: assignee?.id ?? null }),
    ...(priority !== undefined && { priority }),
    ...(tags !== undefined && {
      add_tags: tags.filter((tag) => !row.tags.includes(tag)),
      remove_tags: row.tags.filter((tag) => !tags.includes(tag)),
    }),
  };
}

/** The values that the fields had. */
function opposite(before: Head, { status, assignee, tags, priority, customer }: ConversationChange) {
  const { name, email, phone } = before.customer;
  const until = before.snooze_until;
  return {
    ...(status !== undefined && { status: before.status }),
    ...(status !== undefined && before.status === 'snoozed' && until !== null && { snooze_until: until }),
    ...(assignee !== undefined && { assignee: before.assignee }),
    ...(tags !== undefined && { tags: before.tags }),
    ...(priority !== undefined && { priority: before.priority }),
    ...(customer !== undefined && { customer: { name, email, phone } }),
  };
}
