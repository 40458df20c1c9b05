import type { EndedSpan, MessageSpan, SentSpan, SpanChannel, Spans, TraceOrigin } from './spans.ts';
import { placeBelow, placeOf } from './trace-ids.ts';

type Step = Parameters<Spans['received']>[0];

/** Returns the span of an event that a server, a listener or a poll stored. Pure. */
export function toReceivedSpan(step: Step): EndedSpan {
  return toStepSpan(step, 'receive', 'consumer');
}

/** Returns the span of an event that waited in its lane. Pure. */
export function toWaitedSpan(step: Step): EndedSpan {
  return toStepSpan(step, 'wait', 'internal');
}

function toStepSpan(step: Step, name: string, kind: EndedSpan['kind']): EndedSpan {
  const root = placeOf(step.origin);
  return {
    ...placeBelow(root, name),
    parentSpanId: root.spanId,
    ...{ name, kind },
    ...{ startMs: step.startMs, endMs: step.endMs },
    attributes: channelAttributes(step.channel, step.origin),
    error: null,
  };
}

/** Returns the span of one attempt to send a part. Pure. */
export function toSentSpan({ messageId, part, attempt, error, ...step }: SentSpan): EndedSpan {
  const root = placeOf(step.origin);
  return {
    ...placeBelow(root, `send ${part} ${attempt}`),
    parentSpanId: root.spanId,
    ...{ name: 'send', kind: 'producer' as const },
    ...{ startMs: step.startMs, endMs: step.endMs },
    attributes: {
      ...channelAttributes(step.channel, step.origin),
      'parley.message.id': messageId,
      'parley.part.id': part,
      'parley.part.attempt': attempt,
    },
    error,
  };
}

/** Returns the root of a message's trace, from its first event to its last part. Pure. */
export function toMessageSpan({
  name,
  messageId,
  conversationId,
  outcome,
  ...message
}: MessageSpan): EndedSpan {
  return {
    ...placeOf(message.origin),
    parentSpanId: null,
    ...{ name, kind: 'server' as const },
    ...{ startMs: message.startMs, endMs: message.endMs },
    attributes: {
      ...channelAttributes(message.channel, message.origin),
      'parley.message.id': messageId ?? undefined,
      'gen_ai.conversation.id': conversationId ?? undefined,
      'parley.message.outcome': outcome,
      'parley.message.attempts': message.attempts,
      'parley.message.parts': message.parts,
    },
    error: message.isFailed ? outcome : null,
  };
}

/** Returns the root of the trace of an event that was answered together with an earlier one, whose trace it names. Pure. */
export function toJoinedSpan(step: Step, to: TraceOrigin): EndedSpan {
  return {
    ...placeOf(step.origin),
    parentSpanId: null,
    ...{ name: 'message', kind: 'server' as const },
    ...{ startMs: step.startMs, endMs: step.endMs },
    attributes: {
      ...channelAttributes(step.channel, step.origin),
      'parley.message.outcome': 'joined',
    },
    error: null,
    links: [placeOf(to)],
  };
}

function channelAttributes({ id, kind, workspaceId }: SpanChannel, origin: TraceOrigin) {
  return {
    'openinference.span.kind': 'CHAIN',
    'parley.workspace.id': workspaceId,
    'parley.channel.id': id,
    'parley.channel.kind': kind,
    'parley.event.id': 'eventId' in origin ? origin.eventId : undefined,
  };
}
