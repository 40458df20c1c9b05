import type { OpenAccount } from '../../core/channels/accounts/channel-account.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import type { WaitingEvent } from '../../core/channels/inbound/lane-work.ts';
import { endMessage, type MessageWay, toSpanChannel } from '../deliver/message-end.ts';
import type { TurnEnd } from './plan-turn.ts';

interface HandledTurn {
  readonly end: TurnEnd;
  /** Absent if no answer was stored. */
  readonly startedAt?: Date;
  readonly handled: readonly WaitingEvent[];
  /** Number of failed attempts before this one. */
  readonly attempts: number;
}

/** Returns the way of a message so far, and exports the spans of its events. */
export function toWay(
  { clock, spans }: Pick<LaneDependencies, 'clock' | 'spans'>,
  open: OpenAccount,
  { end, startedAt, handled, attempts }: HandledTurn,
): MessageWay {
  const channel = toSpanChannel(open);
  const [first, ...others] = handled;
  const eventId = first?.eventId ?? null;
  const receivedAt = Math.min(...handled.map((event) => event.receivedAt.getTime()));
  if (spans !== null && eventId !== null && startedAt !== undefined) {
    const origin = { channelId: channel.id, eventId };
    const endMs = startedAt.getTime();
    spans.waited({ origin, channel, startMs: receivedAt, endMs });
    for (const other of others) {
      const joined = { channelId: channel.id, eventId: other.eventId };
      spans.joined({ origin: joined, channel, startMs: other.receivedAt.getTime(), endMs }, origin);
    }
  }
  const { outcome, messageId, conversationId } = end;
  return {
    ...{ channel, eventId, outcome, messageId, conversationId, receivedAt },
    startedAt: startedAt?.getTime() ?? null,
    storedAt: clock.now().getTime(),
    attempts: attempts + 1,
  };
}

interface EndedEvent {
  readonly event: WaitingEvent;
  /** The type of the event, or `ignored`. */
  readonly outcome: string;
}

/** Exports the root of the trace of an event that is no message to the bot. */
export function endEvent(
  { clock, spans }: Pick<LaneDependencies, 'clock' | 'spans'>,
  open: OpenAccount,
  { event: { eventId, receivedAt, attempts }, outcome }: EndedEvent,
): void {
  spans?.ended({
    ...{ name: 'event', outcome, isFailed: false, messageId: null, conversationId: null, parts: 0 },
    ...{ origin: { channelId: open.account.id, eventId }, channel: toSpanChannel(open) },
    ...{ startMs: receivedAt.getTime(), endMs: clock.now().getTime(), attempts: attempts + 1 },
  });
}

const failed: TurnEnd = { outcome: 'failed', messageId: null, conversationId: null, parts: 0 };

/** Ends a message whose last attempt failed. Nothing was stored of it. */
export function endFailedTurn(
  dependencies: Pick<LaneDependencies, 'clock' | 'log' | 'spans'>,
  open: OpenAccount,
  turn: Pick<HandledTurn, 'handled' | 'attempts'>,
): void {
  endMessage(dependencies, toWay(dependencies, open, { end: failed, ...turn }));
}
