import type { FetchMessageObject } from 'imapflow';
import { internalDate } from './internal-date.ts';

type Numbered = Pick<FetchMessageObject, 'uid' | 'internalDate'>;

interface Placed<Message> {
  readonly message: Message;
  /** Once this is taken, nothing up to here is left. */
  readonly place: number;
}

/**
 * New mails in the order in which they came. That is not always the order of their numbers: of mails that came while
 * nobody looked, some servers give them as they find the files. Pure.
 */
export function asTheyCame<Message extends Numbered>(
  messages: readonly Message[],
): readonly Placed<Message>[] {
  const sorted = messages.toSorted((one, other) => timeOf(one) - timeOf(other) || one.uid - other.uid);
  const placed: Placed<Message>[] = [];
  let place = sorted.reduce((most, { uid }) => Math.max(most, uid), 0);
  for (const message of sorted.toReversed()) {
    placed.push({ message, place });
    place = Math.min(place, message.uid - 1);
  }
  return placed.reverse();
}

function timeOf(message: Numbered): number {
  return internalDate(message).getTime();
}
