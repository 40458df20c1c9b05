import { newId } from '../ids.ts';
import { messageTerms } from './message-terms.ts';
import type { StoredTurn, Turn } from './turn.ts';

/** The parameters of `store_turn` in their order, each with its type. */
export const turnColumns = {
  asked_workspace: 'text',
  asked_conversation: 'text',
  new_conversation: 'text',
  audit_id: 'text',
  asked_channel: 'text',
  asked_session: 'text',
  asked_at: 'timestamptz',
  email: 'text',
  email_verified: 'boolean',
  name: 'text',
  phone: 'text',
  user_id: 'text',
  question_id: 'text',
  question: 'text',
  question_metadata: 'jsonb',
  question_terms: 'integer[]',
  answer_id: 'text',
  answer: 'text',
  answer_terms: 'integer[]',
  answer_sources: 'jsonb',
  answer_tokens: 'integer',
  answer_confidence: 'text',
  answer_score: 'real',
  answer_skills: 'text[]',
  answer_latency: 'integer',
  answer_ended: 'text',
} as const;

/** Whose month a turn counts in; null where it is not counted with it. */
export const countedColumns = { counted_owner: 'text', counted_month: 'date' } as const;

type Columns = keyof typeof turnColumns | keyof typeof countedColumns;

export interface TurnRow extends Readonly<Record<Columns, unknown>> {
  /** Null where the turn begins one. */
  readonly asked_conversation: string | null;
  readonly asked_session: string | null;
  readonly answer_id: string;
}

export function turnRow(turn: Turn, stored: StoredTurn, now: Date): TurnRow {
  const { answer, customer, workspaceId } = turn;
  return {
    asked_workspace: workspaceId,
    asked_conversation: turn.conversationId,
    new_conversation: stored.conversationId,
    audit_id: newId('evt'),
    asked_channel: turn.channel,
    asked_session: turn.sessionId,
    asked_at: now.toISOString(),
    email: customer?.email,
    email_verified: customer?.emailVerified,
    name: customer?.name,
    phone: customer?.phone,
    user_id: turn.userId,
    question_id: newId('msg'),
    question: turn.question,
    question_metadata: turn.metadata,
    question_terms: messageTerms(workspaceId, turn.question),
    answer_id: stored.messageId,
    answer: answer.text,
    answer_terms: messageTerms(workspaceId, answer.text),
    answer_sources: answer.sources,
    answer_tokens: answer.tokensUsed,
    answer_confidence: answer.confidence,
    answer_score: answer.score,
    answer_skills: answer.skillsFired,
    answer_latency: turn.latencyMs,
    answer_ended: turn.ended,
    counted_owner: turn.countedFor?.owner,
    counted_month: turn.countedFor?.month,
  };
}
