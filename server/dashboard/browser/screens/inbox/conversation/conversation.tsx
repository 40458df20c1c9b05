import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import {
  agentsQuery,
  type ConversationChange,
  conversationQuery,
  type Conversation as Head,
  type Place,
  useChangeConversation,
} from '../../../api/queries/conversation.ts';
import { useMe } from '../../../api/queries/me.ts';
import { useMay, useWorkspace } from '../../../api/queries/workspace.ts';
import { useTellPresence } from '../../../live/presence.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { FaultLine } from '../../../parts/fault-line.tsx';
import { Skeletons } from '../../../parts/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { offerUndo } from '../../../undo/undo.tsx';
import { kindLook } from '../../channels/cards/kind-look.ts';
import { Composer } from '../composer/composer.tsx';
import { Details } from '../details/details.tsx';
import { Header } from './header.tsx';
import { Log } from './thread/log.tsx';
import { type ComposerHandle, type Desk, DeskContext } from './use-desk.ts';
import { usePane } from './use-pane.ts';
import './conversation.css';

interface ConversationProps {
  readonly conversationId: string;
}

/** The open conversation with its composer and the pane of details. */
export function Conversation({ conversationId }: ConversationProps) {
  const workspace = useWorkspace();
  const id = workspace?.id ?? '';
  const place = useMemo(() => ({ workspace: id, conversation: conversationId }), [id, conversationId]);
  const { texts } = useTexts();
  const { data: head, error, refetch } = useQuery({ ...conversationQuery(place), enabled: id !== '' });
  if (head !== undefined) return <OpenConversation place={place} head={head} />;
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

interface OpenConversationProps {
  readonly place: Place;
  readonly head: Head;
}

function OpenConversation({ place, head }: OpenConversationProps) {
  const { texts } = useTexts();
  const words = texts.conversation;
  const tellWriting = useTellPresence(place);
  const composer = useRef<ComposerHandle>(null);
  const { person } = useMe();
  const mayReply = useMay('inbox:reply');
  const agents = useQuery(agentsQuery(place.workspace)).data?.agents;
  const { change, fault, fail, forget } = useUndoableChange(place, head);
  const name = head.handle ?? words.visitor;
  const channelName = kindLook(head.channel, texts).name;
  const desk = useMemo<Desk>(
    () => ({
      ...{ place, head, name, channelName, mayReply, change, fail, tellWriting, composer },
      agents: agents ?? [],
      me: { id: person.id, name: person.name },
    }),
    [place, head, name, channelName, mayReply, change, fail, tellWriting, agents, person],
  );
  const pane = usePane();
  useEffect(() => {
    document.title = `${name} · ${texts.frame.product}`;
  }, [name, texts]);
  return (
    <DeskContext value={desk}>
      <div className="p-talk" {...(pane.isBeside && pane.isOpen && { 'data-pane': true })}>
        <section className="p-talk-main" aria-label={name}>
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
          pane.isOpen && <Details />
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
            <Details />
          </Drawer>
        )}
      </div>
    </DeskContext>
  );
}

/** Changes the conversation with an undo of ten seconds, and keeps the last failure to show it. */
function useUndoableChange(place: Place, head: Head) {
  const { mutate } = useChangeConversation(place);
  const [failure, setFailure] = useState<unknown>(null);
  const latest = useRef(head);
  latest.current = head;
  return useMemo(() => {
    const change = (wanted: ConversationChange, done: string) => {
      const before = latest.current;
      setFailure(null);
      mutate(wanted, {
        onError: setFailure,
        onSuccess: () => offerUndo(done, () => mutate(opposite(before, wanted), { onError: setFailure })),
      });
    };
    return {
      change,
      fail: setFailure,
      forget: () => setFailure(null),
      fault: failure === null ? null : toProblem(failure),
    };
  }, [mutate, failure]);
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
