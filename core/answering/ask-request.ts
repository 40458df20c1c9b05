import type { Clock } from '../base/clock.ts';
import type { ErrorCode } from '../base/error-catalogue.ts';
import type { Logger } from '../base/log.ts';
import type { EarlierTurn } from '../contract/answer.ts';
import type { AnswerWriter } from '../contract/answer-writer.ts';
import type { Customer } from '../contract/conversation-values.ts';
import type { EarlierMessage } from '../contract/facets.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { Corpora } from '../knowledge/corpus/corpora.ts';
import type { Documents } from '../knowledge/documents/documents.ts';
import type { Embedder } from '../knowledge/embedding/embedder.ts';
import type { PassageReader } from '../knowledge/passage-reader/passage-reader.ts';
import type { Reranker } from '../knowledge/ranking/reranker.ts';
import type { Reservation } from '../limits/quota.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Complete } from '../models/complete.ts';
import type { Database } from '../storage/database.ts';
import type { Spans } from '../tracing/spans.ts';
import type { IdentityClaims, VerifiedVisitor } from '../workspaces/identity.ts';
import type { Workspace, Workspaces } from '../workspaces/workspaces.ts';
import type { Question } from './question.ts';
import type { HttpSkills } from './skills/http/http-skills.ts';

/** The writer of answers and the writer of short texts, on the same language models. */
export interface WritingModels {
  readonly writer: AnswerWriter;
  readonly complete: Complete;
}

/**
 * Returns the models with which a workspace of an owner answers if the owner brought a key, and null if the installation's
 * answer as they are. `model` is the workspace's choice.
 */
export type FindOwnerModels = (ownerId: string, model: string | null) => Promise<WritingModels | null>;

/** The services that answer a question. */
export interface AskDependencies {
  readonly clock: Clock;
  /** Asks a language model for a short text; null if none is configured. */
  readonly complete: Complete | null;
  readonly conversations: Conversations;
  readonly corpora: Corpora;
  readonly database: Database;
  /** Finds the reply to a question without an answer while the documents of the demo are indexed. Absent: there is no demo. */
  readonly demo?: { notice(workspaceId: string, language: string): string | null } | undefined;
  readonly documents: Documents;
  readonly embedder: Embedder;
  readonly httpSkills: HttpSkills;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Finds what takes the place of `writer` and `complete` for an owner who brought a key. Absent: nobody does. */
  readonly ownerModels?: FindOwnerModels | undefined;
  /** Null if passages are not read before an answer. */
  readonly passageReader: PassageReader | null;
  /** Null if passages stay in the order of their scores. */
  readonly reranker: Reranker | null;
  /** Exports how answers are made; null unless a collector is configured. */
  readonly spans: Spans | null;
  readonly workspaces: Workspaces;
  /** Null if no model is configured: answers are then quoted from the documents. */
  readonly writer: AnswerWriter | null;
}

/** A visitor's question on any channel. */
export interface AskRequest {
  readonly workspace: Workspace;
  readonly channel: string;
  readonly question: string;
  /** The text that is answered instead of `question`, which is stored: it adds what the visitor's pictures show. */
  readonly reading?: string | undefined;
  /** The language that the visitor chose on their device or platform. It counts if the messages are too short to tell. */
  readonly language?: string | null | undefined;
  /** The language that the caller wants (ISO 639-1), whatever the language of the question. */
  readonly locale?: string | null | undefined;
  /** Null starts a new conversation. */
  readonly conversationId: string | null;
  readonly sessionId: string | null;
  /** The earlier exchanges as the caller reports them, for a new conversation. */
  readonly earlierTurns?: readonly EarlierTurn[] | undefined;
  /** Messages of others before a new conversation. They help to understand the question; skills never act on them. */
  readonly overheard?: readonly EarlierMessage[] | undefined;
  /** The maximum number of passages the answer may use, 1 to 20; null for as many as suit the answerer. */
  readonly topK: number | null;
  /** Null means the workspace's setting, which defaults to `strict`. */
  readonly strictness: Question['strictness'] | null;
  readonly temperature: number | null;
  readonly audience: readonly string[];
  /** Null means all documents of the workspace. */
  readonly documentIds: readonly string[] | null;
  readonly identity: IdentityClaims;
  /** A visitor whose identity was verified when the session was opened. If absent, `identity` is verified. */
  readonly visitor?: VerifiedVisitor | null | undefined;
  /** The visitor's profile, if a platform vouches for it. */
  readonly customer?: Customer | undefined;
  /** If all models fail with one of these errors, the answer is quoted from the documents. Absent means never. */
  readonly quotesAt?: readonly ErrorCode[] | undefined;
  /** The skill requested by a button or command instead of words. */
  readonly skill?: string | undefined;
  /** Text appended to a complete answer in its own paragraph, unless the answer hands over to an agent. */
  readonly afterword?: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Whether a test key asks: the conversation is kept where only test keys see it, and nothing is counted. */
  readonly isTest?: boolean | undefined;
  /** Whether the answer is the fallback, whatever the documents say. */
  readonly fallsBack?: boolean | undefined;
  /** The owner and month to count the answer in when it is stored; absent if it was counted before or is free. */
  readonly countedFor?: Reservation | undefined;
}

/** Returns the dependencies with which a workspace answers: with its owner's models if they brought a key. */
export async function withOwnerModels<
  Given extends Pick<AskDependencies, 'writer' | 'complete' | 'ownerModels'>,
>(dependencies: Given, ownerId: string, model: string | null): Promise<Given> {
  const own = await dependencies.ownerModels?.(ownerId, model);
  if (own === undefined || own === null) return dependencies;
  const { writer, complete } = own;
  return { ...dependencies, writer, complete };
}
