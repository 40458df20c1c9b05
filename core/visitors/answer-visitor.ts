import { type RawBuilder, sql } from 'kysely';
import { type AskOptions, type AskResult, ask, cannedTurn } from '../answering/ask.ts';
import type { AskDependencies, AskRequest } from '../answering/ask-request.ts';
import type { Attachment } from '../contract/inbound.ts';
import { handoverStatuses } from '../conversations/conversation-values.ts';
import { storeMessage } from '../conversations/store-message.ts';
import {
  type Companion,
  type CompanionKind,
  HumanTakeoverError,
  isHumanTakeoverError,
  type StoredTurn,
} from '../conversations/turn.ts';
import type { Logger } from '../log.ts';
import type { Notifications } from '../storage/notifications.ts';
import type { ScheduleDeliveries } from '../webhooks/event-transaction.ts';
import { eventTransaction } from '../webhooks/event-transaction.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import type { Visitor } from './visitor.ts';
import { findVisitorConversation, type VisitorConversation } from './visitor-conversation.ts';

/** The services that answer a visitor of the widget or the hosted page. */
export interface VisitorDependencies extends AskDependencies {
  readonly log: Logger;
  readonly visitorNews: Notifications;
  readonly wakeDeliveries: ScheduleDeliveries;
}

/** What a visitor says to us. */
export interface VisitorUtterance {
  readonly workspace: Workspace;
  readonly visitor: Visitor;
  readonly channel: string;
  readonly text: string;
  /** A skill that he pressed a button for. */
  readonly skill?: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** What he sends along. */
  readonly files?: readonly Attachment[] | undefined;
  /** What is said instead of an answer; absent where it is answered. */
  readonly ready?: string | undefined;
  /** What is said behind an answer. */
  readonly afterword?: string | undefined;
}

/** Keeps it for the person who has the conversation: the message's id. Null where nobody has: then it is answered. */
export async function storeForAgent(
  { database, clock, wakeDeliveries }: Pick<VisitorDependencies, 'database' | 'clock' | 'wakeDeliveries'>,
  said: VisitorUtterance,
): Promise<string | null> {
  const { visitor, text } = said;
  const now = clock.now();
  const conversation = await findVisitorConversation(database.kysely, visitor, now);
  if (!hasAgent(conversation)) return null;
  return eventTransaction({ database: database.kysely, wakeDeliveries }, async (transaction) => {
    await sql`select ${attachFilesSql(conversation.id, said)}`.execute(transaction);
    return storeMessage(transaction, {
      workspaceId: visitor.workspaceId,
      conversationId: conversation.id,
      role: 'user',
      content: text,
      metadata: toMessageMetadata(said),
      author: null,
      now,
    });
  });
}

/**
 * Answers it, in his conversation or a new one. Throws what `ask` throws, and TakenOver where a person took the
 * conversation over meanwhile: nothing is stored then.
 */
export async function answerVisitor(
  dependencies: VisitorDependencies,
  said: VisitorUtterance,
  { signal, listener }: Pick<AskOptions, 'signal' | 'listener'>,
): Promise<AskResult> {
  const { workspace, visitor, channel, text, skill, ready, afterword } = said;
  const { database, clock } = dependencies;
  const conversation = await findVisitorConversation(database.kysely, visitor, clock.now());
  const request: AskRequest = {
    workspace,
    channel,
    question: text,
    conversationId: conversation?.id ?? null,
    sessionId: visitor.id,
    topK: 5,
    strictness: null,
    temperature: null,
    audience: [],
    documentIds: null,
    identity: { user: null, token: null },
    visitor: visitor.verified,
    customer: visitor.customer,
    skill,
    afterword,
    metadata: toMessageMetadata(said),
  };
  const beside = buildCompanion(said, conversation !== null);
  if (ready !== undefined) return sendCannedReply(dependencies, { request, text: ready, beside }, listener);
  // What begins with this answer nobody takes over before.
  if (conversation === null) return ask(dependencies, request, { signal, listener, beside });
  return abortOnTakeover(dependencies, visitor, (taken) =>
    ask(dependencies, request, { signal: AbortSignal.any([signal, taken]), listener, beside }),
  );
}

/** As channels keep it. */
function toMessageMetadata({ metadata, files = [] }: VisitorUtterance): VisitorUtterance['metadata'] {
  return files.length === 0 ? metadata : { ...metadata, attachments: files };
}

const visitorCompanionKind: CompanionKind = {
  name: 'visitor',
  columns: { was_there: 'boolean', visitor_id: 'text', file_ids: 'text[]' },
  expression: `
    case when asked.was_there then require_nobody_took_over(kept) else true end
    and case when asked.file_ids = '{}' then true else send_visitor_files(kept, asked.visitor_id, asked.file_ids) end
  `,
};

/**
 * What is stored with an answer: whose files are sent, and, where the conversation was there before, that it is nobody
 * else's now, looked at once more.
 */
function buildCompanion(
  said: VisitorUtterance,
  wasThere: boolean,
): ((stored: StoredTurn) => Companion) | undefined {
  if (!wasThere && (said.files ?? []).length === 0) return undefined;
  const values = {
    was_there: wasThere,
    visitor_id: said.visitor.id,
    file_ids: (said.files ?? []).map(({ reference }) => reference),
  };
  return () => ({
    kind: visitorCompanionKind,
    values,
    errorOf: (error) => (isHumanTakeoverError(error) ? new HumanTakeoverError() : error),
  });
}

/** What `answer` comes to; where a person took the conversation over meanwhile, the id of what was kept for that person. */
export async function answerOrStoreForAgent<Result>(
  dependencies: Pick<VisitorDependencies, 'database' | 'clock' | 'wakeDeliveries'>,
  said: VisitorUtterance,
  answer: () => Promise<Result>,
): Promise<Result | string> {
  try {
    return await answer();
  } catch (error) {
    const kept = error instanceof HumanTakeoverError ? await storeForAgent(dependencies, said) : null;
    if (kept === null) throw error;
    return kept;
  }
}

type HeedTakeoverDependencies = Pick<VisitorDependencies, 'database' | 'clock' | 'log' | 'visitorNews'>;

/** Whether a person has the conversation, or was asked for. */
function hasAgent(conversation: VisitorConversation | null): conversation is VisitorConversation {
  return handoverStatuses.some((status) => status === conversation?.status);
}

/**
 * Does `work` with a signal that is aborted, with a TakenOver, as soon as a person takes the visitor's conversation over.
 * Where nobody tells of it in time, what is stored with an answer looks for itself.
 */
async function abortOnTakeover<Result>(
  { database, clock, log, visitorNews }: HeedTakeoverDependencies,
  visitor: Visitor,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const taken = new AbortController();
  const look = async () => {
    if (hasAgent(await findVisitorConversation(database.kysely, visitor, clock.now())))
      taken.abort(new HumanTakeoverError());
  };
  const tell = () =>
    void look().catch((err: unknown) => log.warn({ err }, 'who has a conversation could not be looked up'));
  const end = await visitorNews.listen(visitor.id, tell);
  try {
    return await work(taken.signal);
  } catch (error) {
    // However what was stopped says so.
    throw taken.signal.aborted ? taken.signal.reason : error;
  } finally {
    end();
  }
}

interface CannedReply {
  readonly request: AskRequest;
  readonly text: string;
  readonly beside: ((stored: StoredTurn) => Companion) | undefined;
}

/** Says what needs no engine, as `ask` says what does. */
async function sendCannedReply(
  { conversations }: Pick<VisitorDependencies, 'conversations'>,
  { request, text, beside }: CannedReply,
  listener: AskOptions['listener'],
): Promise<AskResult> {
  await listener?.stage('writing');
  await listener?.token(text);
  const turn = cannedTurn(request, text);
  const { answer, latencyMs, ended } = turn;
  return { ...(await conversations.storeTurn(turn, beside)), answer, latencyMs, ended };
}

/** An SQL value; computing it gives the files of what is said to the conversation that it is said in. */
function attachFilesSql(
  conversationId: string,
  { visitor, files = [] }: VisitorUtterance,
): RawBuilder<boolean> {
  if (files.length === 0) return sql<boolean>`true`;
  const ids = files.map(({ reference }) => reference);
  return sql<boolean>`send_visitor_files(${conversationId}, ${visitor.id}, ${ids})`;
}
