import { type RawBuilder, sql } from 'kysely';
import { type AskOptions, type AskResult, ask, cannedTurn } from '../answering/ask.ts';
import type { AskDependencies, AskRequest } from '../answering/ask-request.ts';
import type { MediaModels } from '../answering/media/media-models.ts';
import { isReadable, readAttachments, withReadings } from '../answering/media/read-attachments.ts';
import { logMessageEnd } from '../base/log.ts';
import { handoverStatuses } from '../contract/conversation-values.ts';
import type { Attachment } from '../contract/inbound.ts';
import { storeMessage } from '../conversations/messages/store-message.ts';
import { HumanTakeoverError, isHumanTakeoverError, type StoredTurn } from '../conversations/messages/turn.ts';
import { findText } from '../language/localised-texts.ts';
import type { Companion, CompanionKind } from '../storage/companion.ts';
import type { Notifications } from '../storage/notifications/notifications.ts';
import type { Visitor } from '../visitors/visitor.ts';
import { findVisitorConversation, type VisitorConversation } from '../visitors/visitor-conversation.ts';
import { readUnsentFile } from '../visitors/visitor-files.ts';
import type { ScheduleDeliveries } from '../webhooks/event-transaction.ts';
import { eventTransaction } from '../webhooks/event-transaction.ts';
import type { Workspace } from '../workspaces/workspaces.ts';

/** The services that answer a visitor of the widget or the hosted page. */
export interface VisitorDependencies extends AskDependencies {
  /** Sees pictures; null if no model for them is configured. */
  readonly media: MediaModels | null;
  readonly visitorNews: Notifications;
  readonly scheduleDeliveries: ScheduleDeliveries;
}

/** A visitor's message. */
export interface VisitorUtterance {
  readonly workspace: Workspace;
  readonly visitor: Visitor;
  readonly channel: string;
  readonly text: string;
  /** The language of the visitor's browser, ISO 639-1. */
  readonly language?: string | undefined;
  /** The skill whose button the visitor pressed. */
  readonly skill?: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** The text that is answered instead of `text`, which is stored: it adds what the pictures show. */
  readonly reading?: string | undefined;
  /** Files sent with the message. */
  readonly files?: readonly Attachment[] | undefined;
  /** A canned reply that replaces a generated answer; absent if the message is to be answered. */
  readonly ready?: string | undefined;
  /** Text appended to the answer. */
  readonly afterword?: string | undefined;
}

/**
 * Stores the message for the agent who has the conversation and returns its id. Returns null if no agent has it, so that
 * the message must be answered.
 */
export async function storeForAgent(
  {
    database,
    clock,
    log,
    scheduleDeliveries,
  }: Pick<VisitorDependencies, 'database' | 'clock' | 'log' | 'scheduleDeliveries'>,
  utterance: VisitorUtterance,
): Promise<string | null> {
  const { visitor, text } = utterance;
  const now = clock.now();
  const conversation = await findVisitorConversation(database.kysely, visitor, now);
  if (!hasAgent(conversation)) return null;
  const message = await eventTransaction(
    { database: database.kysely, scheduleDeliveries },
    async (transaction) => {
      await sql`select ${attachFilesSql(conversation.id, utterance)}`.execute(transaction);
      return storeMessage(transaction, {
        workspaceId: visitor.workspaceId,
        conversationId: conversation.id,
        role: 'user',
        content: text,
        metadata: toMessageMetadata(utterance),
        author: null,
        now,
      });
    },
  );
  logMessageEnd(log, {
    ...{ message, conversation: conversation.id, workspace: visitor.workspaceId },
    ...{ kind: utterance.channel, outcome: 'for_agent' },
  });
  return message;
}

/**
 * Answers the message, in the visitor's conversation or a new one. Throws the errors of `ask`, and `HumanTakeoverError`
 * if an agent took the conversation over meanwhile; nothing is stored in that case.
 */
export async function answerVisitor(
  dependencies: VisitorDependencies,
  utterance: VisitorUtterance,
  { signal, listener }: Pick<AskOptions, 'signal' | 'listener'>,
): Promise<AskResult> {
  const { workspace, visitor, channel, text, skill, ready, afterword } = utterance;
  const { database, clock } = dependencies;
  const conversation = await findVisitorConversation(database.kysely, visitor, clock.now());
  const request: AskRequest = {
    workspace,
    channel,
    question: text,
    reading: utterance.reading,
    language: utterance.language,
    conversationId: conversation?.id ?? null,
    sessionId: visitor.id,
    topK: null,
    strictness: null,
    temperature: null,
    audience: [],
    documentIds: null,
    identity: { user: null, token: null },
    visitor: visitor.verified,
    customer: visitor.customer,
    skill,
    afterword,
    metadata: toMessageMetadata(utterance),
  };
  const beside = buildCompanion(utterance, conversation !== null);
  if (ready !== undefined) return sendCannedReply(dependencies, { request, text: ready, beside }, listener);
  // A new conversation cannot be taken over before its first answer is stored.
  if (conversation === null) return ask(dependencies, request, { signal, listener, beside });
  return abortOnTakeover(dependencies, visitor, (takeover) =>
    ask(dependencies, request, { signal: AbortSignal.any([signal, takeover]), listener, beside }),
  );
}

/** More pictures would keep the visitor waiting. */
const MAX_PICTURES = 2;

/**
 * Returns the utterance with what a model sees in its pictures, which are then part of the question. Returns it unchanged if
 * no model is configured or sees anything.
 */
export async function seePictures(
  { database, log, media }: Pick<VisitorDependencies, 'database' | 'log' | 'media'>,
  utterance: VisitorUtterance,
  signal: AbortSignal,
): Promise<VisitorUtterance> {
  const { files = [], visitor, language = 'en', ready, afterword } = utterance;
  if (media === null) return utterance;
  const readings = await readAttachments({
    ...{ media, language, log, signal },
    attachments: files.filter((file) => isReadable(media, file)).slice(0, MAX_PICTURES),
    text: ready === undefined ? utterance.text : '',
    fetchFile: (id) => readUnsentFile(database.kysely, visitor, id),
  });
  const seen = withReadings(files, readings);
  const shown = seen.flatMap(({ description }) => description ?? []);
  if (shown.length === 0) return utterance;
  const words = ready === undefined ? [utterance.text] : [];
  const isComplete = shown.length === files.length;
  return {
    ...utterance,
    files: seen,
    reading: [...words, ...shown].join('\n'),
    ready: undefined,
    afterword: isComplete ? undefined : (afterword ?? findText('channel', language).filesUnread),
  };
}

/** Uses the same shape as messages from channels. */
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
 * Returns the companion of the answer: it assigns the visitor's files, and checks for an existing conversation again that
 * no agent has taken it over.
 */
function buildCompanion(
  utterance: VisitorUtterance,
  wasThere: boolean,
): ((stored: StoredTurn) => Companion) | undefined {
  if (!wasThere && (utterance.files ?? []).length === 0) return undefined;
  const values = {
    was_there: wasThere,
    visitor_id: utterance.visitor.id,
    file_ids: (utterance.files ?? []).map(({ reference }) => reference),
  };
  return () => ({
    kind: visitorCompanionKind,
    values,
    errorOf: (error) => (isHumanTakeoverError(error) ? new HumanTakeoverError() : error),
  });
}

/**
 * Returns the result of `answer`. If an agent took the conversation over meanwhile, stores the message for the agent and
 * returns its id.
 */
export async function answerOrStoreForAgent<Result>(
  dependencies: Pick<VisitorDependencies, 'database' | 'clock' | 'log' | 'scheduleDeliveries'>,
  utterance: VisitorUtterance,
  answer: () => Promise<Result>,
): Promise<Result | string> {
  try {
    return await answer();
  } catch (error) {
    const messageId =
      error instanceof HumanTakeoverError ? await storeForAgent(dependencies, utterance) : null;
    if (messageId === null) throw error;
    return messageId;
  }
}

type TakeoverDependencies = Pick<VisitorDependencies, 'database' | 'clock' | 'log' | 'visitorNews'>;

/** Whether an agent has the conversation or was requested. */
function hasAgent(conversation: VisitorConversation | null): conversation is VisitorConversation {
  return handoverStatuses.some((status) => status === conversation?.status);
}

/**
 * Runs `work` with a signal that aborts with a `HumanTakeoverError` when an agent takes the conversation over. If the
 * notification arrives too late, the companion of the answer detects the takeover.
 */
async function abortOnTakeover<Result>(
  { database, clock, log, visitorNews }: TakeoverDependencies,
  visitor: Visitor,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const takeover = new AbortController();
  const check = async () => {
    if (hasAgent(await findVisitorConversation(database.kysely, visitor, clock.now())))
      takeover.abort(new HumanTakeoverError());
  };
  const onNews = () =>
    void check().catch((err: unknown) => log.warn({ err }, 'looking up the assignee failed'));
  const unlisten = await visitorNews.listen(visitor.id, onNews);
  try {
    return await work(takeover.signal);
  } catch (error) {
    // Aborted work may throw any error; the takeover is the cause.
    throw takeover.signal.aborted ? takeover.signal.reason : error;
  } finally {
    unlisten();
  }
}

interface CannedReply {
  readonly request: AskRequest;
  readonly text: string;
  readonly beside: ((stored: StoredTurn) => Companion) | undefined;
}

/** Stores a canned reply as a turn and reports it to the listener as `ask` reports an answer. */
async function sendCannedReply(
  { conversations, log }: Pick<VisitorDependencies, 'conversations' | 'log'>,
  { request, text, beside }: CannedReply,
  listener: AskOptions['listener'],
): Promise<AskResult> {
  await listener?.stage('writing');
  await listener?.token(text);
  const turn = cannedTurn(request, text);
  const { answer, latencyMs, ended } = turn;
  const stored = await conversations.storeTurn(turn, beside);
  logMessageEnd(log, {
    ...{ message: stored.messageId, conversation: stored.conversationId, workspace: turn.workspaceId },
    ...{ kind: request.channel, outcome: 'answered' },
  });
  return { ...stored, answer, latencyMs, ended };
}

/** Returns an SQL expression that assigns the message's files to the conversation. */
function attachFilesSql(
  conversationId: string,
  { visitor, files = [] }: VisitorUtterance,
): RawBuilder<boolean> {
  if (files.length === 0) return sql<boolean>`true`;
  const ids = files.map(({ reference }) => reference);
  return sql<boolean>`send_visitor_files(${conversationId}, ${visitor.id}, ${ids})`;
}
