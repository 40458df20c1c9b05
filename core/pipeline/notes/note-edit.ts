import { type Selectable, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { InboundEvent } from '../../contract/inbound-event.ts';
import { messageTerms } from '../../conversations/message-terms.ts';
import { writeAudit } from '../../conversations/write-audit.ts';
import type { Tables } from '../../storage/tables.ts';
import type { LaneKey } from '../lane-key.ts';
import { sessionOf } from '../session-of.ts';

type Edit = Extract<InboundEvent, { type: 'message-edited' | 'message-deleted' }>;

interface Noted {
  readonly key: LaneKey;
  readonly workspaceId: string;
  readonly event: Edit;
  readonly now: Date;
}

const metadataSchema = z.looseObject({
  channel_message_ids: z.array(z.string()),
  channel_texts: z.array(z.string()).optional(),
});

/** A visitor changed what he had said, or took it back: that is what is kept of it. An answer to it stays as it is. */
export async function noteEdit(
  transaction: Transaction<Tables>,
  { key, workspaceId, event, now }: Noted,
): Promise<void> {
  const row = await saidBefore(transaction, { key, workspaceId, messageId: event.messageId });
  const metadata = metadataSchema.safeParse(row?.metadata).data;
  if (row === undefined || metadata === undefined) return;
  const wanted = event.type === 'message-edited' ? event.text.trim() : null;
  const pieces = metadata.channel_message_ids.map((id, index) =>
    id === event.messageId ? wanted : (metadata.channel_texts?.[index] ?? row.content),
  );
  const content = pieces.filter((piece) => piece !== null && piece !== '').join('\n');
  const isGone = pieces.every((piece) => piece === null);
  const texts = pieces.map((piece) => piece ?? '');
  await transaction
    .updateTable('message')
    .set({
      content,
      terms: [...messageTerms(row.workspace_id, content)],
      metadata: JSON.stringify(isGone ? withoutFiles(metadata) : withTexts(metadata, texts)),
      ...(isGone ? { deleted_at: now } : { edited_at: now }),
    })
    .where('id', '=', row.id)
    .execute();
  const action = event.type === 'message-edited' ? 'message_edited' : 'message_deleted';
  const changed = { id: row.conversation_id, workspaceId: row.workspace_id, actor: 'visitor', at: now };
  await writeAudit(transaction, changed, [{ action, details: { message_id: row.id } }]);
}

function withTexts(metadata: z.output<typeof metadataSchema>, texts: readonly string[]) {
  return texts.length > 1 ? { ...metadata, channel_texts: texts } : metadata;
}

function withoutFiles({ attachments: _, ...metadata }: z.output<typeof metadataSchema>) {
  return { ...metadata, channel_texts: undefined };
}

interface Sought {
  readonly key: LaneKey;
  readonly workspaceId: string;
  readonly messageId: string;
}

/** Also of a conversation that went on in the lane before the one of today. */
function saidBefore(
  transaction: Transaction<Tables>,
  { key, workspaceId, messageId }: Sought,
): Promise<Selectable<Tables['message']> | undefined> {
  return transaction
    .selectFrom('message')
    .selectAll('message')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .where('conversation.workspace_id', '=', workspaceId)
    .where('conversation.session_id', '=', sessionOf(key))
    .where('message.role', '=', 'user')
    .where(sql<boolean>`message.metadata -> 'channel_message_ids' ? ${messageId}`)
    .where('message.deleted_at', 'is', null)
    .orderBy('message.position', 'desc')
    .limit(1)
    .forUpdate(['conversation', 'message'])
    .executeTakeFirst();
}
