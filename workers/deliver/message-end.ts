import { logMessageEnd } from '../../core/base/log.ts';
import type { OpenAccount } from '../../core/channels/accounts/channel-account.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import { findSentMessage } from '../../core/channels/message-life.ts';
import type { WaitingPart } from '../../core/channels/outbound/outbox.ts';
import type { MessageOutcome } from '../../core/contract/trace/message-end.ts';
import type { SpanChannel, TraceOrigin } from '../../core/tracing/spans.ts';

/** A message on its way through its lane, as far as this process knows it. Times are milliseconds since 1970. */
export interface MessageWay {
  readonly channel: SpanChannel;
  /** The platform's id of the first event that it answers; null if it answers none. */
  readonly eventId: string | null;
  /** Null if no message was stored. */
  readonly messageId: string | null;
  readonly conversationId: string | null;
  readonly outcome: MessageOutcome;
  /** How often an answer was begun; null if none was. */
  readonly attempts: number | null;
  /** Null: not known. */
  readonly receivedAt: number | null;
  readonly startedAt: number | null;
  readonly storedAt: number;
}

/** The parts of a message that are settled. */
export interface SettledParts {
  readonly parts: number;
  readonly partAttempts: number;
  readonly isUndelivered: boolean;
  readonly isWithheld: boolean;
}

export const noParts: SettledParts = { parts: 0, partAttempts: 0, isUndelivered: false, isWithheld: false };

type EndDependencies = Pick<LaneDependencies, 'clock' | 'log' | 'spans'>;

/** Writes the line about a message that is at its end, and exports the root of its trace. */
export function endMessage(
  { clock, log, spans }: EndDependencies,
  way: MessageWay,
  parts: SettledParts = noParts,
): void {
  const { channel, messageId, eventId, receivedAt, startedAt, storedAt } = way;
  const now = clock.now().getTime();
  const startMs = receivedAt ?? startedAt ?? storedAt;
  const outcome = parts.isUndelivered ? 'undelivered' : parts.isWithheld ? 'withheld' : way.outcome;
  const origin = originOf(way);
  logMessageEnd(log, {
    message: messageId ?? undefined,
    conversation: way.conversationId ?? undefined,
    workspace: channel.workspaceId,
    kind: channel.kind,
    channel: channel.id,
    event: eventId ?? undefined,
    outcome,
    attempts: way.attempts ?? undefined,
    ...(parts.parts > 0 && { parts: parts.parts, partAttempts: parts.partAttempts, sendMs: now - storedAt }),
    ...(receivedAt !== null && startedAt !== null && { waitMs: Math.max(0, startedAt - receivedAt) }),
    ...(startedAt !== null && { answerMs: storedAt - startedAt }),
    totalMs: now - startMs,
    ...(spans !== null && { trace: spans.rootOf(origin).traceId }),
  });
  spans?.ended({
    ...{ name: 'message', origin, channel, messageId, outcome, startMs, endMs: now },
    conversationId: way.conversationId,
    isFailed: outcome === 'failed' || outcome === 'undelivered',
    attempts: way.attempts ?? 0,
    parts: parts.parts,
  });
}

/** Ends a message whose answer was made elsewhere or earlier, or that a person wrote, by what is stored of it. */
export async function endStoredMessage(
  dependencies: EndDependencies & Pick<LaneDependencies, 'database'>,
  { messageId, eventId, author }: Pick<WaitingPart, 'messageId' | 'eventId' | 'author'>,
  open: OpenAccount,
): Promise<void> {
  const channel = toSpanChannel(open);
  const found = await findSentMessage(dependencies.database.kysely, {
    ...{ workspaceId: channel.workspaceId, channelId: channel.id, messageId, eventId },
  });
  if (found === null) return;
  const storedAt = found.storedAt.getTime();
  const isAnswer = author === 'bot' && eventId !== null;
  endMessage(
    dependencies,
    {
      ...{ channel, eventId, messageId, storedAt, conversationId: found.conversationId },
      outcome: !isAnswer ? 'sent' : found.isHandover ? 'handed_over' : 'answered',
      attempts: found.attempts,
      receivedAt: found.receivedAt?.getTime() ?? null,
      startedAt: isAnswer ? storedAt - (found.answerMs ?? 0) : null,
    },
    found,
  );
}

/** Returns what the trace of a message begins with. Pure. */
export function originOf({
  channel,
  eventId,
  messageId,
}: Pick<MessageWay, 'channel' | 'eventId' | 'messageId'>): TraceOrigin {
  return eventId === null ? { messageId: messageId ?? '' } : { channelId: channel.id, eventId };
}

export function toSpanChannel({ workspaceId, account }: OpenAccount): SpanChannel {
  return { id: account.id, kind: account.channel, workspaceId };
}
