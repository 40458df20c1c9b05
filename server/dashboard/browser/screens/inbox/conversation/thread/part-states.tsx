import { UnstyledButton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { MessageEntry } from '../../../../api/queries/conversation.ts';
import { Check, CheckCheck, CircleAlert, Clock, type IconType, Minus } from '../../../../icons.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { useTexts } from '../../../../texts/texts.tsx';
import { postReply, undoSeconds, useOutgoing } from '../../composer/outbox.ts';
import { useDesk } from '../use-desk.ts';
import { useTimes } from '../use-times.ts';

type Part = MessageEntry['parts'][number];

const signs: Readonly<Record<Part['status'], IconType>> = {
  queued: Clock,
  held: Clock,
  sent: Check,
  delivered: CheckCheck,
  read: CheckCheck,
  failed: CircleAlert,
  withheld: Minus,
};

/** Returns the state to show for a message whose parts differ: the one that is furthest behind. */
const order: readonly Part['status'][] = [
  'failed',
  'withheld',
  'queued',
  'sent',
  'delivered',
  'read',
  'held',
];

/** The delivery state of a message. A failed part shows the platform's error. */
export function PartStates({ entry: { message, parts } }: { readonly entry: MessageEntry }) {
  const { texts } = useTexts();
  const words = texts.conversation.message;
  const { channelName, mayReply } = useDesk();
  const times = useTimes();
  if (parts.length === 0) return null;
  const told = order.find((status) => parts.some((part) => part.status === status)) ?? 'sent';
  const reached = parts.filter(({ status }) => status === told);
  const refused = parts.flatMap((part, position) =>
    (part.status === 'failed' || part.status === 'withheld') && part.reason !== null
      ? [{ position, reason: part.reason, status: part.status }]
      : [],
  );
  const trouble = told === 'queued' ? parts.find(({ reason }) => reason !== null)?.reason : undefined;
  return (
    <>
      <span
        className="p-part-state"
        data-state={told}
        title={parts.map(({ status, at }) => `${words.states[status]}, ${times.exact(at)}`).join('\n')}
      >
        <Icon of={signs[told]} size={14} />
        {reached.length === parts.length
          ? words.states[told]
          : words.partsDone(reached.length, parts.length, words.states[told])}
      </span>
      {trouble != null && <span className="p-part-reason">{trouble}</span>}
      {refused.map(({ position, reason }) => (
        <span key={position} className="p-part-reason" data-failed>
          {parts.length > 1 && `${words.part(position + 1, parts.length)}. `}
          {words.platformSays(channelName)} <q>{reason}</q>
        </span>
      ))}
      {told === 'failed' && mayReply && message.role === 'agent' && <SendAgain message={message} />}
    </>
  );
}

/** Sends a message that failed again as it was, or puts its text back into the field. */
function SendAgain({ message: { id, content, attachments = [] } }: Pick<MessageEntry, 'message'>) {
  const { texts } = useTexts();
  const words = texts.conversation.message;
  const { place, name, composer, me } = useDesk();
  const client = useQueryClient();
  const isOnItsWay = useOutgoing(place.conversation).some(({ resendOf }) => resendOf === id);
  if (isOnItsWay) return null;
  const sendAgain = () => {
    const files = attachments.map((file, position) => ({
      id: `${id}-${position}`,
      name: file.name ?? texts.conversation.files.kinds[file.kind],
      content_type: file.content_type ?? '',
      byte_count: file.bytes ?? 0,
      url: '',
    }));
    postReply({
      ...{ place, content, files, resendOf: id, takesOver: null, after: null, resolves: false },
      ...{ extra: {}, settled: Promise.resolve(), undoMs: undoSeconds.read() * 1_000 },
      sender: { client, person: me.id, returned: texts.conversation.composer.returned(name) },
    });
  };
  return (
    <>
      <UnstyledButton className="p-message-why" onClick={sendAgain}>
        {words.sendAgain}
      </UnstyledButton>
      {content !== '' && (
        <UnstyledButton
          className="p-message-why"
          {...(attachments.length > 0 && { title: words.editWithoutFiles })}
          onClick={() => composer.current?.insert(content)}
        >
          {words.edit}
        </UnstyledButton>
      )}
    </>
  );
}
