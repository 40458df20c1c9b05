import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { type DecisionRecord, roundScore } from '../contract/answer.ts';
import type { AnswerTrace } from '../contract/trace/answer-trace.ts';
import { unpackTrace } from '../contract/trace/stored-trace.ts';
import { messageDisclosure, storedDecisionSchema } from '../conversations/messages/decisions.ts';
import {
  type MessageRecord,
  messageColumns,
  messageFromRow,
  messageParts,
} from '../conversations/messages/messages.ts';
import { handleOf } from '../inbox/list.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { findReview, type Review } from './reviews.ts';

export interface WantedAnswer {
  readonly workspaceId: string;
  readonly messageId: string;
}

/** A stored answer with everything that explains it. */
export interface StoredAnswer {
  readonly message: Extract<MessageRecord, { role: 'assistant' }>;
  readonly conversation: {
    readonly id: string;
    readonly channel: string;
    /** As the list of conversations names the customer. */
    readonly customer: string | null;
  };
  /** The messages around it, oldest first, with the question and the answer itself. */
  readonly exchange: readonly ExchangedMessage[];
  /** The visitor's message; null if there is none. */
  readonly question: string | null;
  readonly position: number;
  readonly decision: DecisionRecord | null;
  /** Null if none was made, or if its days are over. */
  readonly trace: AnswerTrace | null;
  readonly passages: readonly TracedPassage[];
  readonly review: Review | null;
}

export interface ExchangedMessage {
  readonly id: string;
  readonly role: MessageRecord['role'];
  readonly content: string;
  readonly at: Date;
}

/** A passage that was found for an answer, with today's names. */
export interface TracedPassage {
  readonly chunkId: string;
  readonly documentId: string;
  /** Null if the document is gone. */
  readonly title: string | null;
  /** The headings above it. Empty if it has none, and if its document was indexed anew since. */
  readonly headings: readonly string[];
  /** Whether documents still hold it. */
  readonly isCurrent: boolean;
  readonly score: number;
  readonly read: boolean;
  /** Null without a trace. */
  readonly evidence: Pick<AnswerTrace['passages'][number], 'words' | 'coverage' | 'meaning' | 'fused'> | null;
  readonly use: AnswerTrace['passages'][number]['use'] | null;
}

/** The number of messages that are shown before an answer's question and after the answer. */
const MESSAGES_BEFORE = 6;
const MESSAGES_AFTER = 3;

/** Throws `message_not_found`. */
export async function findAnswer(database: Kysely<Tables>, wanted: WantedAnswer): Promise<StoredAnswer> {
  const { workspaceId, messageId } = wanted;
  const row = await database
    .selectFrom('message')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .select(messageColumns.map((column) => `message.${column}` as const))
    .select([messageParts, messageDisclosure, 'message.decision', 'message.trace', 'message.conversation_id'])
    .select(['conversation.channel', 'conversation.customer_name', 'conversation.customer_email'])
    .select(['conversation.customer_phone', 'conversation.session_id'])
    .where('message.id', '=', messageId)
    .where('message.workspace_id', '=', workspaceId)
    .where('conversation.workspace_id', '=', workspaceId)
    .where('message.role', '=', 'assistant')
    .where('message.purpose', 'is', null)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('message_not_found');
  const message = messageFromRow(row);
  if (message.role !== 'assistant') throw new AppError('message_not_found');
  const decision = storedDecisionSchema.parse(row.decision);
  const trace = unpackTrace(row.trace);
  const exchange = await findExchange(database, workspaceId, row);
  const { content: question = null } =
    exchange.find(({ role, place }) => role === 'user' && place === row.position - 1) ?? {};
  return {
    message,
    conversation: { id: row.conversation_id, channel: row.channel, customer: handleOf(row) },
    exchange,
    question,
    position: row.position,
    decision,
    trace,
    passages: await findPassages(database, workspaceId, { trace, decision }),
    review: await findReview(database, wanted),
  };
}

const roleSchema = z.enum(['user', 'assistant', 'agent']);

async function findExchange(
  database: Kysely<Tables>,
  workspaceId: string,
  {
    conversation_id: conversationId,
    position,
  }: { readonly conversation_id: string; readonly position: number },
): Promise<readonly (ExchangedMessage & { readonly place: number })[]> {
  const rows = await database
    .selectFrom('message')
    .select(['id', 'role', 'content', 'created_at', 'position'])
    .where('conversation_id', '=', conversationId)
    .where('workspace_id', '=', workspaceId)
    .where('position', '>=', position - 1 - MESSAGES_BEFORE)
    .where('position', '<=', position + MESSAGES_AFTER)
    .where('purpose', 'is', null)
    .orderBy('position')
    .execute();
  return rows.map(({ id, role, content, created_at: at, position: place }) => ({
    ...{ id, content, at, place },
    role: roleSchema.parse(role),
  }));
}

type NamelessPassage = Omit<TracedPassage, 'title' | 'headings' | 'isCurrent'> & {
  readonly storedTitle: string | null;
};

async function findPassages(
  database: Kysely<Tables>,
  workspaceId: string,
  recorded: { readonly trace: AnswerTrace | null; readonly decision: DecisionRecord | null },
): Promise<readonly TracedPassage[]> {
  const passages = recordedPassages(recorded);
  if (passages.length === 0) return [];
  const documents = await database
    .selectFrom('document')
    .select(['id', 'title'])
    .where('workspace_id', '=', workspaceId)
    .where('status', '!=', 'deleted')
    .where('id', 'in', [...new Set(passages.map(({ documentId }) => documentId))])
    .execute();
  const chunks = await database
    .selectFrom('chunk')
    .innerJoin('document', 'document.number', 'chunk.document_number')
    .select(['chunk.id', 'chunk.headings'])
    .where('document.workspace_id', '=', workspaceId)
    .where(sql<boolean>`chunk.revision = document.revision`)
    .where(
      'chunk.id',
      'in',
      passages.map(({ chunkId }) => Number(chunkId)),
    )
    .execute();
  const titles = new Map(documents.map(({ id, title }) => [id, title]));
  const headings = new Map(chunks.map((chunk) => [String(chunk.id), chunk.headings]));
  return passages.map(({ storedTitle, ...passage }) => ({
    ...passage,
    title: titles.get(passage.documentId) ?? storedTitle,
    headings: headings.get(passage.chunkId) ?? [],
    isCurrent: titles.has(passage.documentId) && headings.has(passage.chunkId),
  }));
}

function recordedPassages({
  trace,
  decision,
}: {
  readonly trace: AnswerTrace | null;
  readonly decision: DecisionRecord | null;
}): readonly NamelessPassage[] {
  const titles = new Map(decision?.passages.map(({ chunk_id: id, title }) => [id, title]));
  if (trace !== null) {
    return trace.passages.map(({ chunk, document, score, read, use, ...evidence }) => ({
      ...{ chunkId: chunk, documentId: document, score, read, use, evidence },
      storedTitle: titles.get(chunk) ?? null,
    }));
  }
  return (decision?.passages ?? []).map((passage) => ({
    chunkId: passage.chunk_id,
    documentId: passage.document_id,
    score: roundScore(passage.score),
    read: passage.read === true,
    ...{ evidence: null, use: null },
    storedTitle: passage.title,
  }));
}
