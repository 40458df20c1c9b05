import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { ConversationRef } from '../../contract/account.ts';
import type { Attachment } from '../../contract/inbound.ts';
import { type OutboundPart, type Reply, withFileLinks } from '../../contract/outbound.ts';
import { changeRow } from '../../conversations/change-row.ts';
import { endDraft } from '../../conversations/drafts.ts';
import {
  type MessageDelivery,
  messageColumns,
  messageFromRow,
  messageParts,
} from '../../conversations/messages/messages.ts';
import { storeMessage, storeRequestKey } from '../../conversations/messages/store-message.ts';
import type { ConversationChange } from '../../conversations/plan-change.ts';
import { storeSeen } from '../../conversations/seen.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { Database } from '../../storage/database.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { eventTransaction, type ScheduleDeliveries } from '../../webhooks/event-transaction.ts';
import type { FindAccount, OpenAccount } from '../accounts/channel-account.ts';
import { wakeLaneInBackground } from '../inbound/wake-lanes.ts';
import { askForRating } from '../ratings.ts';
import { claimFiles, copyFiles, markSent, toAttachment, toReplyFiles } from './agent-files.ts';
import { queueParts } from './outbox.ts';
import { findReplyLane, toReplyWindow } from './reply-window.ts';

interface AgentReply {
  readonly workspaceId: string;
  readonly conversationId: string;
  /** May be empty if there are files. */
  readonly content: string;
  readonly fileIds?: readonly string[];
  readonly authorEmail: string;
  /** The person who replies. The conversation is assigned to them if nobody has it, and the draft that it was is deleted. */
  readonly personId?: string | null;
  /** The API key that sends the reply, for the audit log. Absent: the author stands there. */
  readonly keyName?: string | undefined;
  /** The last message that the agent has seen. */
  readonly afterMessageId?: string | undefined;
  /** Whether the conversation is resolved with the reply. */
  readonly resolves?: boolean;
  /** Changes made with the reply, or not at all if it is refused. An assignee must be assignable. */
  readonly change?: ConversationChange | undefined;
  /** The message that is sent again. `content` and `fileIds` are its own; the draft of the person stays. */
  readonly resendOf?: string | undefined;
  /** The same key again stores and sends nothing. */
  readonly requestKey?: string | undefined;
}

/** A stored reply of an agent. */
export interface AgentMessage {
  readonly id: string;
  readonly content: string;
  readonly author: string;
  readonly createdAt: Date;
  readonly attachments: readonly Attachment[];
  /** Null if the conversation has no channel. */
  readonly delivery: MessageDelivery | null;
  /** Whether an earlier request with the same key stored it. */
  readonly isReplay: boolean;
}

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly log: Logger;
  readonly findAccount: FindAccount;
  readonly scheduleDeliveries: ScheduleDeliveries;
  readonly config: { readonly PUBLIC_URL?: string | undefined };
}

/**
 * Stores an agent's reply and sends it through the conversation's channel, if it has one. The first reply
 * claims the conversation. Throws `conversation_not_found`, `channel_unreachable`, `channel_window_closed`,
 * `conversation_moved_on`, `duplicate_request_id`, `invalid_snooze_until` and what `claimFiles` and `requireFiles` throw.
 */
export async function sendAgentReply(dependencies: Dependencies, reply: AgentReply): Promise<AgentMessage> {
  const { database, clock, scheduleDeliveries } = dependencies;
  const replay = await findReplay(database.kysely, reply);
  if (replay !== null) return replay;
  const lane = await findReplyLane(database.kysely, reply);
  const open = lane && (await dependencies.findAccount(lane.channelId));
  if (lane && !(open && lane.isOpen)) throw new AppError('channel_unreachable');
  const { workspaceId, conversationId, content, authorEmail, personId = null, fileIds = [] } = reply;
  if (fileIds.length > 0) requireFiles(open, dependencies.config);
  const now = clock.now();
  const stored = await eventTransaction(
    { database: database.kysely, scheduleDeliveries },
    async (transaction) => {
      await lockConversation(transaction, reply);
      const earlier = await findReplay(transaction, reply);
      if (earlier !== null) return earlier;
      await requireSeen(transaction, reply);
      const claim = {
        owner: { workspaceId, conversationId, personId },
        ids: fileIds,
        publicUrl: dependencies.config.PUBLIC_URL,
      };
      const files =
        reply.resendOf === undefined
          ? await claimFiles(transaction, claim)
          : await copyFiles(transaction, { ...claim, messageId: reply.resendOf, now });
      const attachments = files.map(toAttachment);
      const id = await storeMessage(transaction, {
        workspaceId,
        conversationId,
        role: 'agent',
        content,
        metadata: attachments.length === 0 ? null : { attachments },
        author: authorEmail,
        personId,
        keyName: reply.keyName,
        now,
      });
      await markSent(transaction, { workspaceId, messageId: id, ids: files.map((file) => file.id) });
      await finishReply(transaction, { ...reply, id, now });
      if (lane && open) {
        const { to, channelId, heardAt } = lane;
        await queueParts(transaction, {
          channelId,
          workspaceId,
          conversationId,
          messageId: id,
          to,
          parts: renderAgentParts(open, { id, content, attachments, to, heardAt, now }),
          now,
        });
      }
      if (reply.resolves === true) {
        const accounts = new Map(lane && open ? [[lane.channelId, open]] : []);
        const { personId = null } = reply;
        // After the reply's parts: the worker that sends them goes on with the question.
        await askForRating(transaction, { workspaceId, conversationId, personId, now, accounts, delayMs: 0 });
      }
      return { id, attachments };
    },
  );
  if ('isReplay' in stored) return stored;
  const { id: messageId, attachments } = stored;
  if (lane !== null) {
    const key = { channelId: lane.channelId, lane: lane.to.lane };
    wakeLaneInBackground(dependencies, { name: 'deliver', id: messageId, key });
  }
  return {
    id: messageId,
    content,
    author: authorEmail,
    createdAt: now,
    attachments,
    delivery: lane === null ? null : { status: 'queued', reason: null, at: now },
    isReplay: false,
  };
}

/**
 * Throws `files_not_possible` if visitors of the channel cannot open files, and `no_public_address` if the installation
 * has no links for it. Without a channel, visitors fetch files from the server that they talk to.
 */
export function requireFiles(open: OpenAccount | null, { PUBLIC_URL }: Dependencies['config']): void {
  if (open === null) return;
  if (open.connector.about.agentFiles === 'refused') throw new AppError('files_not_possible');
  if (PUBLIC_URL !== undefined) return;
  throw new AppError('no_public_address', {
    detail: 'PUBLIC_URL is not set, so the channel has no link to the file. Set it and restart the server.',
  });
}

/** Throws what `requireFiles` throws, and `conversation_not_found`, before a file is uploaded. */
export async function requireFilesPossible(
  { database, findAccount, config }: Pick<Dependencies, 'database' | 'findAccount' | 'config'>,
  conversation: Pick<AgentReply, 'workspaceId' | 'conversationId'>,
): Promise<void> {
  const lane = await findReplyLane(database.kysely, conversation);
  requireFiles(lane && (await findAccount(lane.channelId)), config);
}

/** Replies of one conversation run one after the other. Throws `conversation_not_found`. */
async function lockConversation(
  transaction: Transaction<Tables>,
  { workspaceId, conversationId }: AgentReply,
): Promise<void> {
  const row = await transaction
    .selectFrom('conversation')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', conversationId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('conversation_not_found');
}

function messagesOf(
  database: Kysely<Tables>,
  { workspaceId, conversationId }: Pick<AgentReply, 'workspaceId' | 'conversationId'>,
) {
  return database
    .selectFrom('message')
    .select(messageColumns)
    .select(messageParts)
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', '=', conversationId);
}

/** Returns the text and the files of an agent's message, to send it again. Throws `message_not_found`. */
export async function findReplyToResend(
  database: Kysely<Tables>,
  {
    workspaceId,
    conversationId,
    messageId,
  }: Pick<AgentReply, 'workspaceId' | 'conversationId'> & {
    readonly messageId: string;
  },
): Promise<Pick<AgentReply, 'content' | 'fileIds' | 'resendOf'>> {
  const row = await messagesOf(database, { workspaceId, conversationId })
    .where('id', '=', messageId)
    .executeTakeFirst();
  const message = row && messageFromRow(row);
  if (message?.role !== 'agent') throw new AppError('message_not_found');
  const fileIds = message.attachments.map(({ reference }) => reference);
  return { content: message.content, fileIds, resendOf: messageId };
}

/** Returns the reply that an earlier request with the same key stored. Throws `duplicate_request_id`. */
async function findReplay(
  database: Kysely<Tables>,
  { workspaceId, conversationId, requestKey, content, fileIds = [], resendOf }: AgentReply,
): Promise<AgentMessage | null> {
  if (requestKey === undefined) return null;
  const row = await messagesOf(database, { workspaceId, conversationId })
    .where('request_key', '=', requestKey)
    .executeTakeFirst();
  if (row === undefined) return null;
  const message = messageFromRow(row);
  const isSame =
    message.role === 'agent' &&
    message.content === content &&
    (resendOf === undefined
      ? message.attachments.map(({ reference }) => reference).join() === [...new Set(fileIds)].join()
      : message.attachments.length === fileIds.length);
  if (!isSame) {
    throw new AppError('duplicate_request_id', {
      detail: 'This Idempotency-Key was used with a different reply. Use a new key.',
    });
  }
  return { ...message, author: message.author ?? '', isReplay: true };
}

/** Throws `conversation_moved_on` with the messages that are newer than the last one that the agent has seen. */
async function requireSeen(
  transaction: Transaction<Tables>,
  { workspaceId, conversationId, afterMessageId }: AgentReply,
): Promise<void> {
  if (afterMessageId === undefined) return;
  const newer = await transaction
    .selectFrom('message')
    .select(['id', 'role', 'content', 'author', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', '=', conversationId)
    .where('position', '>', (select) =>
      select
        .selectFrom('message as seen')
        .select((one) => one.fn.coalesce(one.fn.max('seen.position'), one.lit(-1)).as('position'))
        .where('seen.conversation_id', '=', conversationId)
        .where('seen.id', '=', afterMessageId),
    )
    .orderBy('position')
    .limit(100)
    .execute();
  if (newer.length === 0) return;
  const messages = newer.map(({ created_at, ...message }) => ({
    ...message,
    created_at: created_at.toISOString(),
  }));
  throw new AppError('conversation_moved_on', { fields: { new_messages: messages } });
}

interface StoredReply extends AgentReply {
  /** Id of the message. */
  readonly id: string;
  readonly now: Date;
}

/** Stores what a reply changes besides its message, in its transaction. */
async function finishReply(transaction: Transaction<Tables>, reply: StoredReply): Promise<void> {
  const { workspaceId, conversationId, personId = null, requestKey, authorEmail, id, now } = reply;
  const actor = { id: personId, name: reply.keyName ?? authorEmail };
  if (requestKey !== undefined) {
    await storeRequestKey(transaction, { workspaceId, id, requestKey });
  }
  if (personId !== null && reply.resendOf === undefined) {
    const draft = {
      workspaceId,
      personId,
      conversationId,
      kind: 'reply',
      content: reply.content,
      now,
    } as const;
    await endDraft(transaction, draft);
  }
  const row = await transaction
    .selectFrom('conversation')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', conversationId)
    .executeTakeFirstOrThrow();
  if (personId !== null) {
    // An agent who replies has seen the messages before.
    await storeSeen(transaction, { personId, conversationId, position: row.message_count - 1, at: now });
  }
  const change = {
    ...(personId !== null && row.assignee_id === null && { assigneeId: personId }),
    ...reply.change,
    ...(reply.resolves === true && { status: 'resolved' as const }),
  };
  await changeRow(transaction, row, { change, actor, now });
}

interface ReplyContext {
  /** Id of the message. */
  readonly id: string;
  readonly content: string;
  readonly attachments: readonly Attachment[];
  readonly to: ConversationRef;
  readonly heardAt: Date | null;
  readonly now: Date;
}

/**
 * Renders an agent's reply. If the platform's reply window has closed, renders the channel's template instead.
 * Throws `channel_window_closed` if there is no template.
 */
export function renderAgentParts(
  { connector, account }: Pick<OpenAccount, 'connector' | 'account'>,
  { id, content, attachments, to, heardAt, now }: ReplyContext,
): readonly OutboundPart[] {
  const files = toReplyFiles(attachments);
  const whole: Reply = {
    id,
    author: 'agent',
    text: content,
    sources: [],
    replyTo: null,
    offers: [],
    handover: true,
    ...(files.length > 0 && { files }),
  };
  const linked = withFileLinks(whole);
  const reply = connector.about.agentFiles === 'shown' ? whole : linked;
  const opening = toReplyWindow({ connector, account }, { to, heardAt, now });
  const { window, render } = connector.open(account);
  if (window === undefined || opening === null || opening.isOpen) return render(reply, to);
  const template = window.renderTemplate(linked, to);
  if (template !== null) return [template];
  throw new AppError('channel_window_closed', { detail: window.reason });
}
