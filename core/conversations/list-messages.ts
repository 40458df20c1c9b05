import type { Kysely } from 'kysely';
import { z } from 'zod';
import { readCursor, writeCursor } from '../cursor.ts';
import { cutPage, type Page, type PageRequest } from '../pagination.ts';
import type { Tables } from '../storage/tables.ts';
import { type MessageRecord, messageColumns, messageOf, messageParts } from './message-record.ts';

export interface MessageListRequest extends PageRequest {
  /** `asc`: oldest first. */
  readonly order: 'asc' | 'desc';
}

const positionSchema = z.int().nonnegative();

/** A page of what was said in a conversation. Throws `invalid_cursor`. */
export async function listMessages(
  database: Kysely<Tables>,
  conversationId: string,
  { limit, cursor, order }: MessageListRequest,
): Promise<Page<MessageRecord>> {
  const list = `messages ${conversationId} ${order}`;
  let query = database
    .selectFrom('message')
    .select(messageColumns)
    .select(messageParts)
    .where('conversation_id', '=', conversationId)
    .orderBy('position', order)
    .limit(limit + 1);
  if (cursor !== undefined) {
    const position = readCursor(list, cursor, positionSchema);
    query = query.where('position', order === 'asc' ? '>' : '<', position);
  }
  const rows = await query.execute();
  const { items, nextCursor } = cutPage(rows, limit, (row) => writeCursor(list, row.position));
  return { items: items.map(messageOf), nextCursor };
}
