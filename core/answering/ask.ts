import type { Transaction } from 'kysely';
import type { StoredTurn, StoredTurnHook, Turn } from '../conversations/turn.ts';
import { AppError } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import type { Tables } from '../storage/tables.ts';
import { type IdentityClaims, type VerifiedVisitor, verifyIdentity } from '../workspaces/identity.ts';
import { requireAudience } from '../workspaces/require-audience.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import type { Answer } from './answer.ts';
import { answerQuestion } from './engine.ts';
import type { EarlierTurn } from './standalone-question.ts';

export type AskDependencies = Pick<
  Runtime,
  'clock' | 'conversations' | 'database' | 'documents' | 'embedder' | 'metrics' | 'workspaces'
>;

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
  /** How many passages the answer may draw on, 1 to 20. */
  readonly topK: number;
  readonly audience: readonly string[];
  /** Null: all documents of the workspace. */
  readonly documentIds: readonly string[] | null;
  readonly identity: IdentityClaims;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

export interface AskResult {
  readonly answer: Answer;
  readonly conversationId: string;
  /** Of the answer. */
  readonly messageId: string;
  readonly latencyMs: number;
}

export interface AskOptions {
  readonly signal: AbortSignal;
  /** What has to be stored in one transaction with the answer, or not at all. */
  readonly within?: ((transaction: Transaction<Tables>, result: AskResult) => Promise<void>) | undefined;
}

/**
 * Answers a question within its conversation and stores both. Throws `invalid_audience`, `verification_required`,
 * `conversation_not_found` and `document_not_found`; nothing is stored then, nor after `signal` was aborted.
 */
export async function ask(
  dependencies: AskDependencies,
  request: AskRequest,
  { signal, within }: AskOptions,
): Promise<AskResult> {
  const { clock, conversations, database, embedder, metrics } = dependencies;
  const { workspace } = request;
  const startedAt = clock.now().getTime();
  requireAudience(workspace, request.audience);
  const visitor = await identify(dependencies, request);
  const userId = visitor?.userId ?? null;
  const earlierTurns = await recall(dependencies, request, userId);
  await dependencies.documents.requireAll(workspace.id, request.documentIds ?? []);
  signal.throwIfAborted();
  const answer = await answerQuestion(
    { database: database.kysely, embedder },
    {
      workspaceId: workspace.id,
      text: request.question,
      earlierTurns,
      topK: request.topK,
      audience: [...new Set([...request.audience, ...(visitor?.audience ?? [])])],
      documentIds: request.documentIds,
      fallbackMessage: workspace.settings.fallback_message ?? null,
    },
  );
  signal.throwIfAborted();
  const latencyMs = Math.max(0, clock.now().getTime() - startedAt);
  const turn: Turn = {
    ...request,
    workspaceId: workspace.id,
    customer: visitor?.customer ?? null,
    userId,
    answer,
    latencyMs,
    ended: null,
  };
  const resultOf = (stored: StoredTurn): AskResult => ({ ...stored, answer, latencyMs });
  const hook: StoredTurnHook | undefined =
    within && ((transaction, stored) => within(transaction, resultOf(stored)));
  const stored = await conversations.storeTurn(turn, hook);
  metrics.answered(request.channel, answer.confidence);
  return resultOf(stored);
}

async function identify(
  { workspaces, clock }: AskDependencies,
  { workspace, identity }: AskRequest,
): Promise<VerifiedVisitor | null> {
  const proofGiven = identity.token !== null || identity.user?.hash !== undefined;
  if (proofGiven) {
    const identitySecret = await workspaces.identitySecret(workspace.id);
    return verifyIdentity(identity, { identitySecret, now: clock.now() });
  }
  if (workspace.settings.require_identity_verification) throw new AppError('verification_required');
  return null;
}

function recall({ conversations }: AskDependencies, request: AskRequest, userId: string | null) {
  const { workspace, conversationId, sessionId, earlierTurns } = request;
  if (conversationId === null) return earlierTurns ?? [];
  return conversations.earlierTurns({ workspaceId: workspace.id, conversationId, sessionId, userId });
}
