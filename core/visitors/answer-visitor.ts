import { type RawBuilder, sql } from 'kysely';
import {
  type AskDependencies,
  type AskOptions,
  type AskRequest,
  type AskResult,
  ask,
  readyTurn,
} from '../answering/ask.ts';
import type { Attachment } from '../contract/inbound.ts';
import { handoverStatuses } from '../conversations/conversation-values.ts';
import { storeMessage } from '../conversations/store-message.ts';
import {
  type Companion,
  type CompanionKind,
  meansTakenOver,
  type StoredTurn,
  TakenOver,
} from '../conversations/turn.ts';
import type { Runtime } from '../runtime.ts';
import { tellingTransaction } from '../webhooks/event-transaction.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import type { Visitor } from './visitor.ts';
import { type VisitorConversation, visitorConversation } from './visitor-conversation.ts';

type SayAsVisitorDependencies = AskDependencies &
  Pick<Runtime, 'database' | 'clock' | 'log' | 'visitorNews' | 'wakeDeliveries'>;

/** What a visitor says to us. */
export interface Said {
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
export async function tellPerson(
  {
    database,
    clock,
    wakeDeliveries,
  }: Pick<SayAsVisitorDependencies, 'database' | 'clock' | 'wakeDeliveries'>,
  said: Said,
): Promise<string | null> {
  const { visitor, text } = said;
  const now = clock.now();
  const conversation = await visitorConversation(database.kysely, visitor, now);
  if (!isWithPerson(conversation)) return null;
  return tellingTransaction({ database: database.kysely, wakeDeliveries }, async (transaction) => {
    await sql`select ${sendingFiles(conversation.id, said)}`.execute(transaction);
    return storeMessage(transaction, {
      workspaceId: visitor.workspaceId,
      conversationId: conversation.id,
      role: 'user',
      content: text,
      metadata: keptBeside(said),
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
  dependencies: SayAsVisitorDependencies,
  said: Said,
  { signal, listener }: Pick<AskOptions, 'signal' | 'listener'>,
): Promise<AskResult> {
  const { workspace, visitor, channel, text, skill, ready, afterword } = said;
  const { database, clock } = dependencies;
  const conversation = await visitorConversation(database.kysely, visitor, clock.now());
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
    metadata: keptBeside(said),
  };
  const beside = companionOf(said, conversation !== null);
  if (ready !== undefined) return sayReadyWords(dependencies, { request, text: ready, beside }, listener);
  // What begins with this answer nobody takes over before.
  if (conversation === null) return ask(dependencies, request, { signal, listener, beside });
  return heedTakeover(dependencies, visitor, (taken) =>
    ask(dependencies, request, { signal: AbortSignal.any([signal, taken]), listener, beside }),
  );
}

/** As channels keep it. */
function keptBeside({ metadata, files = [] }: Said): Said['metadata'] {
  return files.length === 0 ? metadata : { ...metadata, attachments: files };
}

const saidByVisitor: CompanionKind = {
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
function companionOf(said: Said, wasThere: boolean): ((stored: StoredTurn) => Companion) | undefined {
  if (!wasThere && (said.files ?? []).length === 0) return undefined;
  const values = {
    was_there: wasThere,
    visitor_id: said.visitor.id,
    file_ids: (said.files ?? []).map(({ reference }) => reference),
  };
  return () => ({
    kind: saidByVisitor,
    values,
    errorOf: (error) => (meansTakenOver(error) ? new TakenOver() : error),
  });
}

/** What `answer` comes to; where a person took the conversation over meanwhile, the id of what was kept for that person. */
export async function answerOrKeep<Result>(
  dependencies: Pick<SayAsVisitorDependencies, 'database' | 'clock' | 'wakeDeliveries'>,
  said: Said,
  answer: () => Promise<Result>,
): Promise<Result | string> {
  try {
    return await answer();
  } catch (error) {
    const kept = error instanceof TakenOver ? await tellPerson(dependencies, said) : null;
    if (kept === null) throw error;
    return kept;
  }
}

type HeedTakeoverDependencies = Pick<Runtime, 'database' | 'clock' | 'log' | 'visitorNews'>;

/** Whether a person has the conversation, or was asked for. */
function isWithPerson(conversation: VisitorConversation | null): conversation is VisitorConversation {
  return handoverStatuses.some((status) => status === conversation?.status);
}

/**
 * Does `work` with a signal that is aborted, with a TakenOver, as soon as a person takes the visitor's conversation over.
 * Where nobody tells of it in time, what is stored with an answer looks for itself.
 */
async function heedTakeover<Result>(
  { database, clock, log, visitorNews }: HeedTakeoverDependencies,
  visitor: Visitor,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const taken = new AbortController();
  const look = async () => {
    if (isWithPerson(await visitorConversation(database.kysely, visitor, clock.now())))
      taken.abort(new TakenOver());
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

interface Ready {
  readonly request: AskRequest;
  readonly text: string;
  readonly beside: ((stored: StoredTurn) => Companion) | undefined;
}

/** Says what needs no engine, as `ask` says what does. */
async function sayReadyWords(
  { conversations }: Pick<Runtime, 'conversations'>,
  { request, text, beside }: Ready,
  listener: AskOptions['listener'],
): Promise<AskResult> {
  await listener?.stage('writing');
  await listener?.token(text);
  const turn = readyTurn(request, text);
  const { answer, latencyMs, ended } = turn;
  return { ...(await conversations.storeTurn(turn, beside)), answer, latencyMs, ended };
}

/** An SQL value; computing it gives the files of what is said to the conversation that it is said in. */
function sendingFiles(conversationId: string, { visitor, files = [] }: Said): RawBuilder<boolean> {
  if (files.length === 0) return sql<boolean>`true`;
  const ids = files.map(({ reference }) => reference);
  return sql<boolean>`send_visitor_files(${conversationId}, ${visitor.id}, ${ids})`;
}
