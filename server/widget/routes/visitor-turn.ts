import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { channelTexts } from '../../../core/channels/channel-texts.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { answerOrKeep, answerVisitor, type Said, tellPerson } from '../../../core/visitors/answer-visitor.ts';
import { nothingButFiles, unsentFiles } from '../../../core/visitors/visitor-files.ts';
import { takeTurn } from '../../../core/visitors/visitor-lock.ts';
import { EventStream } from '../../event-stream.ts';
import { AnswerStream } from '../../v1/query/answer-stream.ts';
import { presentFinal } from '../../v1/query/present.ts';
import { frameSchema } from '../../v1/query/stream-schema.ts';
import { visitorDoor } from '../chat-entry.ts';
import { chooseTexts } from '../texts/choose-texts.ts';
import { currentVisitor } from '../visitor-guards.ts';
import type { VisitorLimits } from './visitor-route.ts';

const frameSchemaKeptFrame = z
  .object({ token: z.literal(''), done: z.literal(true), kept: z.literal(true), message_id: z.string() })
  .meta({
    id: 'KeptFrame',
    description:
      'The only frame where a person has the conversation, or the last one where a person took it over while it was ' +
      'answered: what there is of the answer is not said then.',
  });

export const visitorFrameSchema = z.union([frameSchema, frameSchemaKeptFrame]).meta({
  description: 'The JSON of one event, `data: <json>` on a line of its own and a blank line after it.',
});

type KeptFrame = z.output<typeof frameSchemaKeptFrame>;

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly limits: VisitorLimits;
}

interface Words extends Pick<Said, 'text' | 'skill'> {
  readonly metadata?: Record<string, unknown> | undefined;
  /** Ids of files; none when absent. */
  readonly files?: readonly string[];
}

/** Answers what a visitor says while he listens, or keeps it for the person who has the conversation. */
export async function sayInStream(runtime: Runtime, exchange: Exchange, words: Words): Promise<void> {
  const { request, reply, limits } = exchange;
  const visitor = currentVisitor.of(request);
  const giveBack = await takeTurn(runtime, visitor);
  try {
    const said = await readWords(runtime, request, words);
    const messageId = await tellPerson(runtime, said);
    if (messageId !== null) return tellKept(reply, { limits, messageId });
    await answer(runtime, exchange, said);
  } finally {
    await giveBack();
  }
}

async function readWords(
  { database }: Runtime,
  request: FastifyRequest,
  { text, files: ids = [], ...words }: Words,
): Promise<Said> {
  const { workspace, account } = visitorDoor.of(request);
  const visitor = currentVisitor.of(request);
  const files = await unsentFiles(database.kysely, visitor, ids);
  const said = {
    ...words,
    workspace,
    visitor,
    channel: account.channel,
    files,
    metadata: words.metadata ?? null,
  };
  if (text !== '' && files.length === 0) return { ...said, text };
  const { language } = chooseTexts((request.headers['accept-language'] ?? '').split(','));
  const { unreadable, filesUnread } = channelTexts(language);
  return text === ''
    ? { ...said, text: nothingButFiles, ready: unreadable }
    : { ...said, text, afterword: filesUnread };
}

/** What needs no engine costs nothing. */
async function reserve({ quota }: Runtime, { workspace, ready }: Said): Promise<() => Promise<void>> {
  if (ready !== undefined) return async () => {};
  const reservation = await quota.reserve(workspace.owner, workspace.plan);
  let refunded: Promise<void> | undefined;
  return () => (refunded ??= quota.refund(reservation));
}

async function answer(runtime: Runtime, { request, reply, limits }: Exchange, said: Said): Promise<void> {
  const refund = await reserve(runtime, said);
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
      return sayInStreamKeptFrame(heard);
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
  events.end(sayInStreamKeptFrame(messageId));
}

function sayInStreamKeptFrame(messageId: string): KeptFrame {
  return { token: '', done: true, kept: true, message_id: messageId };
}
