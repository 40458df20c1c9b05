import { type Selectable, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { writeAuditEntries } from '../../core/conversations/audit-log.ts';
import { storeFeedback } from '../../core/conversations/feedback.ts';
import { extractSearchTerms } from '../../core/conversations/messages.ts';
import { writeNote } from '../../core/conversations/notes.ts';
import { type LaneKey, laneSessionId } from '../../core/inbound/lane.ts';
import type { Logger } from '../../core/log.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';

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
export async function onEdit(
  transaction: Transaction<Tables>,
  { key, workspaceId, event, now }: Noted,
): Promise<void> {
  const row = await findEditedMessage(transaction, { key, workspaceId, messageId: event.messageId });
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
      terms: [...extractSearchTerms(row.workspace_id, content)],
      metadata: JSON.stringify(isGone ? withoutFiles(metadata) : withTexts(metadata, texts)),
      ...(isGone ? { deleted_at: now } : { edited_at: now }),
    })
    .where('id', '=', row.id)
    .execute();
  const action = event.type === 'message-edited' ? 'message_edited' : 'message_deleted';
  const changed = { id: row.conversation_id, workspaceId: row.workspace_id, actor: 'visitor', at: now };
  await writeAuditEntries(transaction, changed, [{ action, details: { message_id: row.id } }]);
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
function findEditedMessage(
  transaction: Transaction<Tables>,
  { key, workspaceId, messageId }: Sought,
): Promise<Selectable<Tables['message']> | undefined> {
  return transaction
    .selectFrom('message')
    .selectAll('message')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .where('conversation.workspace_id', '=', workspaceId)
    .where('conversation.session_id', '=', laneSessionId(key))
    .where('message.role', '=', 'user')
    .where(sql<boolean>`message.metadata -> 'channel_message_ids' ? ${messageId}`)
    .where('message.deleted_at', 'is', null)
    .orderBy('message.position', 'desc')
    .limit(1)
    .forUpdate(['conversation', 'message'])
    .executeTakeFirst();
}

interface Judged {
  readonly channelId: string;
  readonly event: Extract<InboundEvent, { type: 'feedback' }>;
  readonly now: Date;
  readonly log: Pick<Logger, 'info'>;
}

/** Keeps what a visitor thinks of an answer. What is not known to be one of ours is passed over. */
export async function onFeedback(
  transaction: Transaction<Tables>,
  { channelId, event, now, log }: Judged,
): Promise<void> {
  const { value, comment } = event;
  const part = await findRatedPart(transaction, { channelId, event });
  const judged =
    part &&
    (await storeFeedback(transaction, {
      workspaceId: part.workspace_id,
      conversationId: part.conversation_id,
      messageId: part.message_id,
      value,
      comment,
      now,
    }));
  if (!judged) log.info({ channel: channelId }, 'feedback was given to what is no answer of ours');
}

/** Without the id of a message, the last that we answered in the lane is meant. */
function findRatedPart(
  transaction: Transaction<Tables>,
  { channelId, event: { messageId, conversation } }: Pick<Judged, 'channelId' | 'event'>,
) {
  const parts = transaction
    .selectFrom('outbound_part')
    .select(['outbound_part.workspace_id', 'outbound_part.conversation_id', 'message_id'])
    .where('channel_id', '=', channelId)
    .orderBy('outbound_part.number', 'desc')
    .limit(1);
  const meant =
    messageId === null
      ? parts
          .innerJoin('message', 'message.id', 'outbound_part.message_id')
          .where('message.role', '=', 'assistant')
          .where('outbound_part.lane', '=', conversation.lane)
          .where('outbound_part.platform_message_id', 'is not', null)
      : parts.where('platform_message_id', '=', messageId);
  return meant.executeTakeFirst();
}

interface Related {
  readonly key: LaneKey;
  readonly workspaceId: string;
  readonly event: Extract<InboundEvent, { type: 'related' }>;
  readonly now: Date;
}

const actor = 'system';

/** Tells in two conversations of one another, for a person to judge; nothing where one of them is not kept. */
export async function onRelatedConversation(
  transaction: Transaction<Tables>,
  { key, workspaceId, event, now }: Related,
): Promise<void> {
  const find = (lane: string) => findConversationId(transaction, { ...key, lane, workspaceId });
  const own = await find(key.lane);
  const other = await find(event.lane);
  if (own === undefined || other === undefined || own === other) return;
  const write = (id: string, content: string) =>
    writeNote(transaction, { id, workspaceId, actor, at: now }, { content, authorEmail: undefined });
  await write(own, `looks like it belongs to conversation ${other}, in which its sender takes no part`);
  await write(other, `looks like conversation ${own} belongs to it, whose sender takes no part here`);
}

/** Also one that is over. */
async function findConversationId(
  transaction: Transaction<Tables>,
  { channelId, lane, workspaceId }: LaneKey & Pick<Related, 'workspaceId'>,
): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('lane')
    .innerJoin('conversation', 'conversation.id', 'lane.conversation_id')
    .select('conversation.id')
    .where('lane.channel_id', '=', channelId)
    .where('lane.lane', '=', lane)
    .where('conversation.workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row?.id;
}

interface Over {
  readonly channelId: string;
  readonly event: Extract<InboundEvent, { type: 'collection-over' }>;
}

/** What was kept for who has gone is given up; the lane is out of reach unless it has gone on elsewhere since. */
export async function onCollectionOver(
  transaction: Transaction<Tables>,
  { channelId, event: { conversation, key, because } }: Over,
): Promise<void> {
  await transaction
    .updateTable('outbound_part')
    .set({ status: 'failed', failure: because })
    .where('channel_id', '=', channelId)
    .where('lane', '=', conversation.lane)
    .where('collect_key', '=', key)
    .where('status', 'in', ['collectable', 'held'])
    .execute();
  await sql`
    update lane set reachable = false
    where channel_id = ${channelId} and lane = ${conversation.lane}
      and coalesce(address = ${JSON.stringify(conversation.address)}::jsonb, true)
  `.execute(transaction);
}

interface AskedFor {
  readonly channelId: string;
  readonly event: Extract<InboundEvent, { type: 'asked-for' }>;
  readonly now: Date;
}

/** What was kept for the visitor is to be sent now. */
export async function onMoreRequested(
  transaction: Transaction<Tables>,
  { channelId, event: { conversation, what }, now }: AskedFor,
): Promise<void> {
  await transaction
    .updateTable('outbound_part')
    .set({ status: 'waiting', next_attempt_at: now })
    .where('channel_id', '=', channelId)
    .where('lane', '=', conversation.lane)
    .where('collect_key', '=', what)
    .where('status', '=', 'held')
    .execute();
}
