import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Source } from '../answering/answer.ts';
import type { Attachment } from '../contract/inbound-event.ts';
import { personSkill } from '../contract/person-skill.ts';
import type { Opinion } from '../conversations/conversation-values.ts';
import { type MessageRecord, messageColumns, messageOf } from '../conversations/message-record.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { cutPage, type Page, type PageRequest } from '../pagination.ts';
import { exactTime } from '../storage/exact-time.ts';
import type { Tables } from '../storage/tables.ts';
import { agentName } from './agent-name.ts';
import { nothingButFiles } from './nothing-but-files.ts';
import type { Visitor } from './visitor.ts';

/** What was said, as its visitor may see it. */
export interface VisitorMessage {
  readonly id: string;
  readonly role: MessageRecord['role'];
  readonly content: string;
  readonly createdAt: Date;
  /** What an answer rests on. */
  readonly sources: readonly Source[];
  /** Pages that are near to a question without an answer. */
  readonly related: readonly Source[];
  /** The name of the person who wrote it; null for others. */
  readonly author: string | null;
  /** What he thinks of an answer; null where he has not said. */
  readonly feedback: Opinion | null;
  /** Whether an answer broke off. */
  readonly isCut: boolean;
  /** Whether it says that a person was brought in. */
  readonly isHandover: boolean;
  /** What he sent along. */
  readonly attachments: readonly Attachment[];
}

interface MessagesRequest extends PageRequest {
  /** Only what people wrote. */
  readonly fromPeople?: boolean;
}

const positionSchema = z.tuple([z.iso.datetime(), z.string(), z.int()]);

/** Newest first, of all conversations of the visitor and of nobody else's. Throws `invalid_cursor`. */
export async function visitorMessages(
  database: Kysely<Tables>,
  { id, workspaceId }: Visitor,
  { limit, cursor, fromPeople = false }: MessagesRequest,
): Promise<Page<VisitorMessage>> {
  const list = `visitor messages ${id}`;
  const time = sql.ref('message.created_at');
  let query = database
    .selectFrom('message')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .select(messageColumns.map((column) => `message.${column}` as const))
    .select(['message.confidence', 'message.ended', 'message.skills_fired', 'message.conversation_id'])
    .select(exactTime(time).as('page_time'))
    .where('conversation.session_id', '=', id)
    .where('conversation.workspace_id', '=', workspaceId)
    .where(sql<boolean>`conversation.channel in ('widget', 'hosted')`)
    .orderBy('message.created_at', 'desc')
    .orderBy('message.conversation_id', 'desc')
    .orderBy('message.position', 'desc')
    .limit(limit + 1);
  if (fromPeople) query = query.where('message.role', '=', 'agent');
  if (cursor !== undefined) {
    const [at, conversation, position] = readCursor(list, cursor, positionSchema);
    query = query.where(
      sql<boolean>`(message.created_at, message.conversation_id, message.position) < (${at}::timestamptz, ${conversation}, ${position}::int)`,
    );
  }
  const rows = await query.execute();
  const { items, nextCursor } = cutPage(rows, limit, (row) =>
    writeCursor(list, [row.page_time, row.conversation_id, row.position]),
  );
  return {
    items: items.map((row) => shown(messageOf(row), row)),
    nextCursor,
  };
}

function shown(
  message: MessageRecord,
  { confidence, ended, skills_fired }: Pick<Tables['message'], 'confidence' | 'ended' | 'skills_fired'>,
): VisitorMessage {
  const { id, role, createdAt } = message;
  const attachments = message.role === 'user' ? message.attachments : [];
  const isPerson = message.role === 'agent';
  const found = message.role === 'assistant' ? message.sources : [];
  return {
    id,
    role,
    content: attachments.length > 0 && message.content === nothingButFiles ? '' : message.content,
    createdAt,
    ...(confidence === 'low' ? { sources: [], related: found } : { sources: found, related: [] }),
    author: isPerson && message.author !== null ? agentName(message.author) : null,
    feedback: message.role === 'assistant' ? (message.feedback?.value ?? null) : null,
    isCut: ended !== null,
    isHandover: skills_fired?.includes(personSkill) ?? false,
    attachments,
  };
}
