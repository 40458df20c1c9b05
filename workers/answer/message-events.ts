import { type Selectable, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { writeAuditEntries } from '../../core/audit/audit-log.ts';
import type { Logger } from '../../core/base/log.ts';
import { type LaneKey, laneSessionId } from '../../core/channels/inbound/lane.ts';
import { namedActor } from '../../core/contract/actor.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { storeFeedback } from '../../core/conversations/feedback.ts';
import { extractSearchTerms, parseAttachments } from '../../core/conversations/messages.ts';
import { writeNote } from '../../core/conversations/notes.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';

type Edit = Extract<InboundEvent, { type: 'message-edited' | 'message-deleted' }>;

interface EditContext {
  readonly key: LaneKey;
  readonly workspaceId: string;
  readonly event: Edit;
  readonly now: Date;
}

const metadataSchema = z.looseObject({
  channel_message_ids: z.array(z.string()),
  channel_texts: z.array(z.string()).optional(),
  attachments: z.array(z.looseObject({})).optional(),
});

/** Applies a visitor's edit or deletion to the stored message. An answer that was already given stays. */
export async function onEdit(
  transaction: Transaction<Tables>,
  { key, workspaceId, event, now }: EditContext,
): Promise<void> {
  const row = await findEditedMessage(transaction, { key, workspaceId, messageId: event.messageId });
  const metadata = metadataSchema.safeParse(row?.metadata).data;
  if (row === undefined || metadata === undefined) return;
  const newText = event.type === 'message-edited' ? event.text.trim() : null;
  const textParts = metadata.channel_message_ids.map((id, index) =>
    id === event.messageId ? newText : (metadata.channel_texts?.[index] ?? row.content),
  );
  const isDeletion = event.type === 'message-deleted';
  // Recordings are not stored by message, so that the words of all are removed with any message of theirs.
  const heard = isDeletion
    ? []
    : parseAttachments(row.metadata).flatMap(({ transcript }) => transcript ?? []);
  const content = [...textParts, ...heard].filter((piece) => piece !== null && piece !== '').join('\n');
  const isGone = textParts.every((piece) => piece === null);
  const texts = textParts.map((piece) => piece ?? '');
  await transaction
    .updateTable('message')
    .set({
      content,
      terms: [...extractSearchTerms(row.workspace_id, content)],
      metadata: JSON.stringify(
        isGone ? withoutFiles(metadata) : withTexts(isDeletion ? withoutReadings(metadata) : metadata, texts),
      ),
      ...(isGone ? { deleted_at: now } : { edited_at: now }),
    })
    .where('id', '=', row.id)
    .execute();
  const action = event.type === 'message-edited' ? 'message_edited' : 'message_deleted';
  const changed = {
    id: row.conversation_id,
    workspaceId: row.workspace_id,
    actor: namedActor('visitor'),
    at: now,
  };
  await writeAuditEntries(transaction, changed, [{ action, details: { message_id: row.id } }]);
}

function withTexts(metadata: z.output<typeof metadataSchema>, texts: readonly string[]) {
  return texts.length > 1 ? { ...metadata, channel_texts: texts } : metadata;
}

function withoutFiles({ attachments: _, ...metadata }: z.output<typeof metadataSchema>) {
  return { ...metadata, channel_texts: undefined };
}

function withoutReadings({ attachments, ...metadata }: z.output<typeof metadataSchema>) {
  if (attachments === undefined) return metadata;
  return {
    ...metadata,
    attachments: attachments.map(({ transcript: _, description: __, ...attachment }) => attachment),
  };
}

interface EditedMessage {
  readonly key: LaneKey;
  readonly workspaceId: string;
  readonly messageId: string;
}

/** Also finds messages of earlier conversations in the same lane. */
function findEditedMessage(
  transaction: Transaction<Tables>,
  { key, workspaceId, messageId }: EditedMessage,
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

interface FeedbackContext {
  readonly channelId: string;
  readonly event: Extract<InboundEvent, { type: 'feedback' }>;
  readonly now: Date;
  readonly log: Pick<Logger, 'info'>;
}

/** Stores a visitor's rating of an answer. A rating of an unknown message is ignored. */
export async function onFeedback(
  transaction: Transaction<Tables>,
  { channelId, event, now, log }: FeedbackContext,
): Promise<void> {
  const { value, comment } = event;
  const part = await findRatedPart(transaction, { channelId, event });
  const isStored =
    part &&
    (await storeFeedback(transaction, {
      workspaceId: part.workspace_id,
      conversationId: part.conversation_id,
      messageId: part.message_id,
      value,
      comment,
      now,
    }));
  if (!isStored) log.info({ channel: channelId }, 'feedback for an unknown answer ignored');
}

/** Without a message id, the rating applies to the last answer in the lane. */
function findRatedPart(
  transaction: Transaction<Tables>,
  { channelId, event: { messageId, conversation } }: Pick<FeedbackContext, 'channelId' | 'event'>,
) {
  const parts = transaction
    .selectFrom('outbound_part')
    .select(['outbound_part.workspace_id', 'outbound_part.conversation_id', 'message_id'])
    .where('channel_id', '=', channelId)
    .orderBy('outbound_part.number', 'desc')
    .limit(1);
  const query =
    messageId === null
      ? parts
          .innerJoin('message', 'message.id', 'outbound_part.message_id')
          .where('message.role', '=', 'assistant')
          .where('message.purpose', 'is', null)
          .where('outbound_part.lane', '=', conversation.lane)
          .where('outbound_part.platform_message_id', 'is not', null)
      : parts.where('platform_message_id', '=', messageId);
  return query.executeTakeFirst();
}

interface RelatedContext {
  readonly key: LaneKey;
  readonly workspaceId: string;
  readonly event: Extract<InboundEvent, { type: 'related' }>;
  readonly now: Date;
}

const actor = namedActor('system');

/**
 * Adds a note to both conversations that links them, for an operator to review. Does nothing if one of them is
 * not stored.
 */
export async function onRelatedConversation(
  transaction: Transaction<Tables>,
  { key, workspaceId, event, now }: RelatedContext,
): Promise<void> {
  const find = (lane: string) => findConversationId(transaction, { ...key, lane, workspaceId });
  const own = await find(key.lane);
  const other = await find(event.lane);
  if (own === undefined || other === undefined || own === other) return;
  const write = (id: string, content: string) =>
    writeNote(transaction, { id, workspaceId, actor, at: now }, { content, authorEmail: undefined });
  await write(own, `may belong to conversation ${other}, in which its sender does not participate`);
  await write(
    other,
    `conversation ${own} may belong here, although its sender does not participate in this conversation`,
  );
}

/** Also finds closed conversations. */
async function findConversationId(
  transaction: Transaction<Tables>,
  { channelId, lane, workspaceId }: LaneKey & Pick<RelatedContext, 'workspaceId'>,
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

interface CollectionOverContext {
  readonly channelId: string;
  readonly event: Extract<InboundEvent, { type: 'collection-over' }>;
}

/**
 * Fails the parts that the visitor did not collect. The lane becomes unreachable unless its address has changed
 * since.
 */
export async function onCollectionOver(
  transaction: Transaction<Tables>,
  { channelId, event: { conversation, key, because } }: CollectionOverContext,
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

interface MoreRequestedContext {
  readonly channelId: string;
  readonly event: Extract<InboundEvent, { type: 'asked-for' }>;
  readonly now: Date;
}

/** Queues held parts because the visitor requested them. */
export async function onMoreRequested(
  transaction: Transaction<Tables>,
  { channelId, event: { conversation, what }, now }: MoreRequestedContext,
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
