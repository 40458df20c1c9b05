import type { FetchMessageObject } from 'imapflow';
import { internalDate } from './internal-date.ts';

type Numbered = Pick<FetchMessageObject, 'uid' | 'internalDate' | 'envelope'>;

interface Placed<Message> {
  readonly message: Message;
  /** Once this is taken, nothing up to here is left. */
  readonly place: number;
}

/**
 * New mails in the order in which they came. That is not always the order of their numbers: of mails that came while
 * nobody looked, some servers give them as they find the files. Their times are whole seconds, so of those of one second
 * a mail comes after the one that it answers. Pure.
 */
export function asTheyCame<Message extends Numbered>(
  messages: readonly Message[],
): readonly Placed<Message>[] {
  const sorted = answersLater(
    messages.toSorted((one, other) => timeOf(one) - timeOf(other) || one.uid - other.uid),
  );
  const placed: Placed<Message>[] = [];
  let place = sorted.reduce((most, { uid }) => Math.max(most, uid), 0);
  for (const message of sorted.toReversed()) {
    placed.push({ message, place });
    place = Math.min(place, message.uid - 1);
  }
  return placed.reverse();
}

function answersLater<Message extends Numbered>(messages: readonly Message[]): readonly Message[] {
  const byId = new Map(messages.map((message) => [message.envelope?.messageId, message]));
  const ordered = new Set<Message>();
  const put = (message: Message, through: ReadonlySet<Message>): void => {
    const answered = byId.get(message.envelope?.inReplyTo ?? '');
    if (answered !== undefined && !ordered.has(answered) && !through.has(answered)) {
      put(answered, new Set([...through, answered]));
    }
    ordered.add(message);
  };
  for (const message of messages) if (!ordered.has(message)) put(message, new Set([message]));
  return [...ordered];
}

function timeOf(message: Numbered): number {
  return internalDate(message).getTime();
}
