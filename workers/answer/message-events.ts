import type { Transaction } from 'kysely';
import { z } from 'zod';
import { writeAuditEntries } from '../../core/audit/audit-log.ts';
import type { Logger } from '../../core/base/log.ts';
import { type LaneKey, laneSessionId } from '../../core/channels/inbound/lane.ts';
import { findLaneConversationId } from '../../core/channels/inbound/lane-records.ts';
import { findRatedPart } from '../../core/channels/outbound/part-records.ts';
import { namedActor } from '../../core/contract/actor.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { findEditedMessage, storeEditedMessage } from '../../core/conversations/messages/edited-messages.ts';
import { storeFeedback } from '../../core/conversations/messages/feedback.ts';
import { parseAttachments } from '../../core/conversations/messages/messages.ts';
import { writeNote } from '../../core/conversations/messages/notes.ts';
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
  const row = await findEditedMessage(transaction, {
    sessionId: laneSessionId(key),
    workspaceId,
    messageId: event.messageId,
  });
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
  await storeEditedMessage(transaction, row, {
    content,
    metadata: isGone
      ? withoutFiles(metadata)
      : withTexts(isDeletion ? withoutReadings(metadata) : metadata, texts),
    isGone,
    now,
  });
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
  const part = await findRatedPart(transaction, {
    channelId,
    lane: event.conversation.lane,
    messageId: event.messageId,
  });
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

interface RelatedContext {
  readonly key: LaneKey;
  readonly workspaceId: string;
  readonly event: Extract<InboundEvent, { type: 'related' }>;
  readonly now: Date;
}

const actor = namedActor('system');

/**
 * Adds a note to both conversations that links them, for an operator to review. It does nothing if one of them is not
 * stored.
 */
export async function onRelatedConversation(
  transaction: Transaction<Tables>,
  { key, workspaceId, event, now }: RelatedContext,
): Promise<void> {
  const find = (lane: string) => findLaneConversationId(transaction, { ...key, lane, workspaceId });
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
