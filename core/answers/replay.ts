import type { Kysely } from 'kysely';
import { type Rehearsal, type RehearsedQuestion, rehearse } from '../answering/rehearsal.ts';
import { AppError } from '../base/errors.ts';
import type { EarlierTurn } from '../contract/answer.ts';
import { maxMessages, toTurns } from '../conversations/conversation-memory.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import { findAnswer, type StoredAnswer, type WantedAnswer } from './find-answer.ts';

interface ReplayedAnswer {
  readonly workspace: Workspace;
  readonly messageId: string;
  /** Null: the workspace's own. */
  readonly model: RehearsedQuestion['model'];
  /** Null: the audience that the visitor had, as far as the workspace still knows it. */
  readonly audience: readonly string[] | null;
  /** Null: that of the workspace. */
  readonly strictness: RehearsedQuestion['strictness'] | null;
  readonly signal: AbortSignal;
}

/** An answer as it was and as it would be today. */
export interface Replay {
  readonly before: StoredAnswer;
  readonly after: Rehearsal;
  readonly audience: readonly string[];
  readonly moved: readonly MovedPassage[];
}

/** A passage that stands elsewhere than before. Ranks count from 1; null: it was not among the twenty best. */
export interface MovedPassage {
  readonly chunkId: string;
  readonly title: string | null;
  readonly before: { readonly rank: number; readonly score: number } | null;
  readonly after: { readonly rank: number; readonly score: number } | null;
}

/**
 * Asks the question of an answer again, with today's documents and settings, after the same exchanges. Nothing is stored, counted
 * or sent, and no skill runs. Throws `message_not_found`, also if the visitor deleted the question.
 */
export async function replayAnswer(
  dependencies: Parameters<typeof rehearse>[0],
  { workspace, messageId, ...asked }: ReplayedAnswer,
): Promise<Replay> {
  const database = dependencies.database.kysely;
  const before = await findAnswer(database, { workspaceId: workspace.id, messageId });
  const { question, trace, conversation } = before;
  if (question === null || question.trim() === '') throw new AppError('message_not_found');
  const known = new Set(workspace.settings.audiences ?? []);
  const audience = asked.audience ?? trace?.question.audience.filter((tag) => known.has(tag)) ?? [];
  const after = await rehearse(dependencies, {
    ...{ workspace, audience, text: question },
    ...(await findContext(database, { workspaceId: workspace.id, messageId }, before)),
    channel: conversation.channel,
    conversationId: conversation.id,
    language: null,
    model: asked.model,
    strictness: asked.strictness ?? workspace.settings.strictness ?? 'strict',
    signal: asked.signal,
  });
  return { before, after, audience, moved: comparePassages(before, after) };
}

interface Context {
  readonly earlierTurns: readonly EarlierTurn[];
  readonly summary: string | null;
}

/** Returns what the conversation remembered when the question came. */
async function findContext(
  database: Kysely<Tables>,
  { workspaceId }: WantedAnswer,
  { conversation, position }: StoredAnswer,
): Promise<Context> {
  const asked = position - 1;
  const memory = await database
    .selectFrom('conversation')
    .select(['memory_from', 'summary', 'summary_until'])
    .where('id', '=', conversation.id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const rows = await database
    .selectFrom('message')
    .select(['role', 'content', 'confidence', 'ended', 'tier'])
    .where('conversation_id', '=', conversation.id)
    .where('workspace_id', '=', workspaceId)
    .where('position', '<', asked)
    // A conversation that was resolved since remembers later messages alone.
    .where('position', '>=', memory.memory_from <= asked ? memory.memory_from : 0)
    .where('purpose', 'is', null)
    .orderBy('position', 'desc')
    .limit(maxMessages)
    .execute();
  return {
    earlierTurns: toTurns(rows.toReversed()),
    summary: memory.summary_until <= asked ? memory.summary : null,
  };
}

/** Returns the passages that moved, in today's order, then those that are no longer found. Pure. */
export function comparePassages(
  { passages: then }: Pick<StoredAnswer, 'passages'>,
  { trace, passages: best }: Pick<Rehearsal, 'trace' | 'passages'>,
): readonly MovedPassage[] {
  const titles = new Map(best.map(({ chunkId, title }) => [chunkId, title]));
  const before = new Map(
    then.map(({ chunkId, title, score }, index) => [chunkId, { rank: index + 1, score, title }]),
  );
  const now = trace.passages.map(({ chunk, score }, index) => ({ chunkId: chunk, rank: index + 1, score }));
  const found = now.map(({ chunkId, ...after }): MovedPassage => {
    const earlier = before.get(chunkId);
    return {
      chunkId,
      title: titles.get(chunkId) ?? earlier?.title ?? null,
      before: earlier === undefined ? null : { rank: earlier.rank, score: earlier.score },
      after,
    };
  });
  const isFound = new Set(now.map(({ chunkId }) => chunkId));
  const lost = [...before].flatMap(([chunkId, { title, ...place }]): MovedPassage[] =>
    isFound.has(chunkId) ? [] : [{ chunkId, title, before: place, after: null }],
  );
  return [...found, ...lost].filter(
    ({ before: one, after: other }) => one?.rank !== other?.rank || one?.score !== other?.score,
  );
}
