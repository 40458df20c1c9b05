import type { Clock } from '../clock.ts';
import type { AnswerWriter } from '../contract/answer-writer.ts';
import type { EarlierMessage } from '../contract/facets.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { Customer } from '../conversations/turn.ts';
import type { ErrorCode } from '../errors.ts';
import type { Corpora } from '../knowledge/corpus/corpora.ts';
import type { Documents } from '../knowledge/documents.ts';
import type { Embedder } from '../knowledge/embedding/embedder.ts';
import type { Reservation } from '../limits/quota.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { HttpSkills } from '../skills/http/http-skills.ts';
import type { Database } from '../storage/database.ts';
import type { IdentityClaims, VerifiedVisitor } from '../workspaces/identity.ts';
import type { Workspace, Workspaces } from '../workspaces/workspaces.ts';
import type { Complete } from './models/complete.ts';
import type { Question } from './question.ts';
import type { EarlierTurn } from './understanding/standalone-question.ts';

/** The services that answer a question. */
export interface AskDependencies {
  readonly clock: Clock;
  /** Asks a language model for a short text; null if none is configured. */
  readonly complete: Complete | null;
  readonly conversations: Conversations;
  readonly corpora: Corpora;
  readonly database: Database;
  readonly documents: Documents;
  readonly embedder: Embedder;
  readonly httpSkills: HttpSkills;
  readonly metrics: Metrics;
  readonly workspaces: Workspaces;
  /** Null if no model is configured: answers are then quoted from the documents. */
  readonly writer: AnswerWriter | null;
}

/** A question of a visitor, from wherever it came. */
export interface AskRequest {
  readonly workspace: Workspace;
  readonly channel: string;
  readonly question: string;
  /** Null begins a conversation. */
  readonly conversationId: string | null;
  readonly sessionId: string | null;
  /** What was said before, by the caller's own account: for a conversation that begins here. */
  readonly earlierTurns?: readonly EarlierTurn[] | undefined;
  /** What others said before a conversation that begins here: it tells what the question is about, and nothing acts on it. */
  readonly overheard?: readonly EarlierMessage[] | undefined;
  /** How many passages the answer may draw on, 1 to 20. */
  readonly topK: number;
  /** Null: as the workspace is set, which is `strict` when it says nothing. */
  readonly strictness: Question['strictness'] | null;
  readonly temperature: number | null;
  readonly audience: readonly string[];
  /** Null: all documents of the workspace. */
  readonly documentIds: readonly string[] | null;
  readonly identity: IdentityClaims;
  /** Whose identity was proven before, with a session that he shows now; else `identity` tells. */
  readonly visitor?: VerifiedVisitor | null | undefined;
  /** Who the visitor is, where a platform vouches for it. */
  readonly customer?: Customer | undefined;
  /** At which failures of all models the answer is quoted from the documents instead; at none when absent. */
  readonly quotesAt?: readonly ErrorCode[] | undefined;
  /** A skill that is asked for by other means than words; null or absent where none is. */
  readonly skill?: string | undefined;
  /** Said behind a whole answer, in a paragraph of its own, unless a person is brought in by it; absent: nothing. */
  readonly afterword?: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Whose month the answer counts in when it is stored; absent where it was counted before, or costs nothing. */
  readonly countedFor?: Reservation | undefined;
}
