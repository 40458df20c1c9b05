import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { toReadableSource } from '../../../core/answering/answer.ts';
import {
  answerOrStoreForAgent,
  answerVisitor,
  seePictures,
  storeForAgent,
  type VisitorUtterance,
} from '../../../core/channels/answer-visitor.ts';
import { findText } from '../../../core/language/localised-texts.ts';
import type { StorageServices } from '../../../core/runtime/open-storage.ts';
import type { WorkspaceServices } from '../../../core/runtime/open-workspaces.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { filesOnlyText, findUnsentFiles } from '../../../core/visitors/visitor-files.ts';
import { acquireVisitorLock } from '../../../core/visitors/visitor-lock.ts';
import { EventStream } from '../../event-stream.ts';
import { AnswerStream } from '../../v1/query/answer-stream.ts';
import { presentFinal } from '../../v1/query/present.ts';
import { frameSchema } from '../../v1/query/stream-schema.ts';
import { chatEntry } from '../chat-entry.ts';
import { chooseTexts } from '../texts/choose-texts.ts';
import { currentVisitor } from '../visitor-guards.ts';
import type { StreamLimits } from './visitor-route.ts';

const keptFrameSchema = z
  .object({ token: z.literal(''), done: z.literal(true), kept: z.literal(true), message_id: z.string() })
  .meta({
    id: 'KeptFrame',
    description:
      'Sent as the only frame if an agent handles the conversation, or as the last frame if an agent took over during the ' +
      'answer. In the second case, the partial answer is discarded.',
  });

export const visitorFrameSchema = z.union([frameSchema, keptFrameSchema]).meta({
  description: 'The JSON of one event: a line `data: <json>`, followed by a blank line.',
});

type KeptFrame = z.output<typeof keptFrameSchema>;

interface TurnExchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly limits: StreamLimits;
}

interface VisitorInput extends Pick<VisitorUtterance, 'text' | 'skill'> {
  readonly metadata?: Record<string, unknown> | undefined;
  /** Ids of uploaded files; defaults to none. */
  readonly files?: readonly string[];
}

/** Streams the answer to a visitor's message, or stores the message if an agent handles the conversation. */
export async function streamVisitorTurn(
  runtime: Runtime,
  exchange: TurnExchange,
  input: VisitorInput,
): Promise<void> {
  const { request, reply, limits } = exchange;
  const visitor = currentVisitor.get(request);
  const releaseLock = await acquireVisitorLock(runtime, visitor);
  try {
    const utterance = await parseInput(runtime, request, input);
    const messageId = await storeForAgent(runtime, utterance);
    if (messageId !== null) return sendKeptFrame(reply, { limits, messageId });
    // A visitor who leaves is answered too, so nothing ends this early.
    const { signal } = new AbortController();
    await streamAnswer(runtime, exchange, await seePictures(runtime, utterance, signal));
  } finally {
    await releaseLock();
  }
}

async function parseInput(
  { database }: StorageServices,
  request: FastifyRequest,
  { text, files: ids = [], ...input }: VisitorInput,
): Promise<VisitorUtterance> {
  const { workspace, account } = chatEntry.get(request);
  const visitor = currentVisitor.get(request);
  const files = await findUnsentFiles(database.kysely, visitor, ids);
  const { language } = chooseTexts((request.headers['accept-language'] ?? '').split(','));
  const utterance = {
    ...input,
    language,
    workspace,
    visitor,
    channel: account.channel,
    files,
    metadata: input.metadata ?? null,
  };
  if (text !== '' && files.length === 0) return { ...utterance, text };
  const { unreadable, filesUnread } = findText('channel', language);
  return text === ''
    ? { ...utterance, text: filesOnlyText, ready: unreadable }
    : { ...utterance, text, afterword: filesUnread };
}

/**
 * Reserves one message of the quota and returns its refund. Fixed replies, which need no engine, are free.
 */
async function reserveQuota(
  { quota }: WorkspaceServices,
  { workspace, ready }: VisitorUtterance,
): Promise<() => Promise<void>> {
  if (ready !== undefined) return async () => {};
  const reservation = await quota.reserve(workspace.owner, workspace.plan);
  let refunded: Promise<void> | undefined;
  return () => (refunded ??= quota.refund(reservation));
}

async function streamAnswer(
  runtime: Runtime,
  { request, reply, limits }: TurnExchange,
  utterance: VisitorUtterance,
): Promise<void> {
  const refund = await reserveQuota(runtime, utterance);
  const stream = new AnswerStream(request, reply, {
    timeoutMs: limits.streamTimeoutMs,
    keepAliveMs: limits.keepAliveMs,
    drain: limits.drain,
    continuesWithoutReader: true,
    refund,
  });
  try {
    await stream.run(async () => {
      const ask = () => answerVisitor(runtime, utterance, { signal: stream.signal, listener: stream });
      const result = await answerOrStoreForAgent(runtime, utterance, ask);
      if (typeof result !== 'string') {
        const { answer } = result;
        return presentFinal({
          ...result,
          answer: { ...answer, sources: answer.sources.map(toReadableSource) },
        });
      }
      await refund();
      return presentKeptFrame(result);
    });
  } catch (error) {
    await refund();
    throw error;
  }
}

function sendKeptFrame(
  reply: FastifyReply,
  { limits, messageId }: { readonly limits: StreamLimits; readonly messageId: string },
): void {
  const events = new EventStream(reply, limits);
  events.open();
  events.end(presentKeptFrame(messageId));
}

function presentKeptFrame(messageId: string): KeptFrame {
  return { token: '', done: true, kept: true, message_id: messageId };
}
