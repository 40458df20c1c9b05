import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type RehearsalDependencies, rehearse } from '../answering/rehearsal.ts';
import { AppError } from '../base/errors.ts';
import type { Confidence, EarlierTurn, Source } from '../contract/answer.ts';
import { humanSkill } from '../contract/skill.ts';
import { sourcesSchema } from '../conversations/messages/messages.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import { findSubstance } from './last-line.ts';

/** An answer that an agent may send. Nothing of it is stored or counted. */
export interface Suggestion {
  /** Null if the documents contain no answer, or the visitor has asked nothing since the last reply. */
  readonly text: string | null;
  readonly confidence: Confidence;
  readonly sources: readonly Source[];
  /** The question that it answers; empty if the visitor has asked none since the last reply. */
  readonly question: string;
  /** The last of them: the suggestion is outdated once the visitor writes again. */
  readonly messageId: string | null;
  /** Whether a language model wrote it; otherwise it quotes documents. */
  readonly isWritten: boolean;
  /** Whether the visitor has got this answer already. */
  readonly isTold: boolean;
}

interface SuggestionRequest {
  readonly workspace: Workspace;
  readonly conversationId: string;
  /** Returns the answer that the visitor got. */
  readonly again: boolean;
  readonly signal: AbortSignal;
}

const mostMessages = 40;

/**
 * Answers the visitor's last question, as the engine would, but without skills: those act for real. Courtesies, the wish for a
 * person and messages about ratings are no questions. Throws `conversation_not_found`.
 */
export async function suggestReply(
  dependencies: RehearsalDependencies,
  { workspace, conversationId, again, signal }: SuggestionRequest,
): Promise<Suggestion> {
  const { database } = dependencies;
  const history = await loadHistory(database.kysely, workspace.id, conversationId);
  const nothing = { text: null, confidence: 'low', sources: [], isWritten: false, isTold: false } as const;
  const { question, messageId, earlierTurns, told } = history;
  if (question === '') return { ...nothing, question, messageId };
  if (told !== null && !again) return { ...nothing, ...told, question, messageId, isTold: true };
  const { answer } = await rehearse(dependencies, {
    ...{ workspace, conversationId, earlierTurns, signal },
    text: question,
    summary: history.summary,
    audience: history.audience,
    channel: history.channel,
    language: null,
    model: null,
    strictness: 'strict',
  });
  const { text, confidence, sources } = answer;
  if (confidence === 'low' || text.trim() === '') return { ...nothing, question, messageId };
  return { ...nothing, text, confidence, sources, question, messageId, isWritten: answer.tokensUsed > 0 };
}

interface History {
  readonly channel: string;
  readonly summary: string | null;
  readonly audience: readonly string[];
  readonly question: string;
  readonly messageId: string | null;
  readonly earlierTurns: readonly EarlierTurn[];
  /** Returns the engine's answer to the question, if there is one. */
  readonly told: Pick<Suggestion, 'text' | 'confidence' | 'sources'> | null;
}

/** The visitor's last question since the last reply of a person, with the turns before it as its context. */
async function loadHistory(database: Kysely<Tables>, workspaceId: string, id: string): Promise<History> {
  const conversation = await database
    .selectFrom('conversation')
    .leftJoin('visitor', 'visitor.id', 'conversation.session_id')
    .select(['conversation.channel', 'conversation.summary', 'conversation.memory_from', 'visitor.audience'])
    .where('conversation.workspace_id', '=', workspaceId)
    .where('conversation.id', '=', id)
    .executeTakeFirst();
  if (conversation === undefined) throw new AppError('conversation_not_found');
  const rows = await database
    .selectFrom('message')
    .select(['id', 'role', 'content', 'confidence', 'position', 'sources', 'skills_fired', 'feedback'])
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', '=', id)
    .where('position', '>=', conversation.memory_from)
    .where('purpose', 'is', null)
    .orderBy('position', 'desc')
    .limit(mostMessages)
    .execute();
  const messages = rows.toReversed().map(toSaid);
  const lastReply = messages.findLastIndex(({ role }) => role === 'agent');
  const last = messages.findLastIndex(({ question }, at) => at > lastReply && question !== '');
  const told = last < 0 ? null : findAnswer(messages, last);
  // Consecutive questions without an answer count as one.
  const first = messages.findLastIndex(
    (_, at) => at > lastReply && at <= last && (at === lastReply + 1 || messages[at - 1]?.isAnswer === true),
  );
  const asked = last < 0 ? [] : messages.slice(first, last + 1).filter(({ question }) => question !== '');
  return {
    channel: conversation.channel,
    summary: conversation.summary,
    audience: conversation.audience ?? [],
    question: asked.map(({ question }) => question).join('\n'),
    messageId: asked.at(-1)?.id ?? null,
    earlierTurns: messages.slice(0, Math.max(0, first)).flatMap(({ question }, at) => {
      if (question === '') return [];
      return [{ question, answer: findAnswer(messages, at)?.content ?? null }];
    }),
    told: told && { text: told.content, confidence: told.confidence, sources: told.sources },
  };
}

/** A message of the conversation. */
interface Said {
  readonly id: string;
  readonly role: string;
  readonly content: string;
  /** The question of a visitor; otherwise empty. */
  readonly question: string;
  /** Whether it answers a question. */
  readonly isAnswer: boolean;
  readonly confidence: Confidence;
  readonly sources: readonly Source[];
}

interface MessageRow {
  readonly id: string;
  readonly role: string;
  readonly content: string;
  readonly confidence: string | null;
  readonly sources: unknown;
  readonly skills_fired: readonly string[] | null;
  readonly feedback: string | null;
}

const confidenceSchema = z.enum(['high', 'medium', 'low']).catch('low');

function toSaid(row: MessageRow): Said {
  const { id, role, content } = row;
  const confidence = confidenceSchema.parse(row.confidence);
  const handsOver = row.skills_fired?.includes(humanSkill) === true;
  const isGood = confidence !== 'low' && !handsOver && row.feedback !== 'down';
  return {
    ...{ id, role, content, confidence },
    question: role === 'user' ? findSubstance(content) : '',
    isAnswer: role === 'agent' || (role === 'assistant' && isGood),
    sources: sourcesSchema.parse(row.sources ?? []),
  };
}

/** Returns the answer to the question at a position, from before the visitor wrote on. */
function findAnswer(messages: readonly Said[], at: number): Said | null {
  const next = messages[at + 1];
  return next?.isAnswer === true ? next : null;
}
