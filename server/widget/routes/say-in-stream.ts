import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Reservation } from '../../../core/limits/quota.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { answerOrKeep, answerVisitor, type Said, tellPerson } from '../../../core/visitors/say-as-visitor.ts';
import { takeTurn } from '../../../core/visitors/take-turn.ts';
import { EventStream } from '../../event-stream.ts';
import { AnswerStream } from '../../v1/query-stream/answer-stream.ts';
import { presentFinal } from '../../v1/query-stream/present-final.ts';
import { visitorDoor } from '../visitor-door.ts';
import { currentVisitor } from '../visitor-session.ts';
import type { KeptFrame } from './frame-schema.ts';
import type { VisitorLimits } from './visitor-routes.ts';

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly limits: VisitorLimits;
}

type Words = Pick<Said, 'text' | 'skill'> & { readonly metadata?: Record<string, unknown> | undefined };

/** Answers what a visitor says while he listens, or keeps it for the person who has the conversation. */
export async function sayInStream(runtime: Runtime, exchange: Exchange, words: Words): Promise<void> {
  const { request, reply, limits } = exchange;
  const { workspace, account } = visitorDoor.of(request);
  const visitor = currentVisitor.of(request);
  const said: Said = {
    workspace,
    visitor,
    channel: account.channel,
    ...words,
    metadata: words.metadata ?? null,
  };
  const giveBack = await takeTurn(runtime, visitor);
  try {
    const messageId = await tellPerson(runtime, said);
    if (messageId !== null) return tellKept(reply, { limits, messageId });
    const reservation = await runtime.quota.reserve(workspace.owner, workspace.plan);
    await answer(runtime, exchange, { said, reservation });
  } finally {
    await giveBack();
  }
}

async function answer(
  runtime: Runtime,
  { request, reply, limits }: Exchange,
  { said, reservation }: { readonly said: Said; readonly reservation: Reservation },
): Promise<void> {
  let refunded: Promise<void> | undefined;
  const refund = () => (refunded ??= runtime.quota.refund(reservation));
  const stream = new AnswerStream(request, reply, {
    timeoutMs: limits.streamTimeoutMs,
    keepAliveMs: limits.keepAliveMs,
    drain: limits.drain,
    outlivesReader: true,
    refund,
  });
  try {
    await stream.run(async () => {
      const ask = () => answerVisitor(runtime, said, { signal: stream.signal, listener: stream });
      const heard = await answerOrKeep(runtime, said, ask);
      if (typeof heard !== 'string') return presentFinal(heard);
      await refund();
      return keptFrame(heard);
    });
  } catch (error) {
    await refund();
    throw error;
  }
}

function tellKept(
  reply: FastifyReply,
  { limits, messageId }: { readonly limits: VisitorLimits; readonly messageId: string },
): void {
  const events = new EventStream(reply, limits);
  events.open();
  events.end(keptFrame(messageId));
}

function keptFrame(messageId: string): KeptFrame {
  return { token: '', done: true, kept: true, message_id: messageId };
}
