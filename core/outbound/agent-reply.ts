import type { FindAccount, OpenAccount } from '../channels/channel-account.ts';
import type { Clock } from '../clock.ts';
import type { ConversationRef } from '../contract/account.ts';
import type { OutboundPart, Reply } from '../contract/outbound.ts';
import type { MessageDelivery } from '../conversations/messages.ts';
import { storeMessage } from '../conversations/store-message.ts';
import { AppError } from '../errors.ts';
import { wakeLaneInBackground } from '../inbound/wake-lanes.ts';
import type { Logger } from '../log.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Database } from '../storage/database.ts';
import type { ScheduleDeliveries } from '../webhooks/event-transaction.ts';
import { eventTransaction } from '../webhooks/event-transaction.ts';
import { queueParts } from './outbox.ts';
import { findReplyLane, toReplyWindow } from './reply-window.ts';

interface AgentReply {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly content: string;
  readonly authorEmail: string;
}

/** A stored reply of an agent. */
export interface AgentMessage {
  readonly id: string;
  readonly content: string;
  readonly author: string;
  readonly createdAt: Date;
  /** Null if the conversation has no channel. */
  readonly delivery: MessageDelivery | null;
}

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly log: Logger;
  readonly findAccount: FindAccount;
  readonly scheduleDeliveries: ScheduleDeliveries;
}

/**
 * Stores an agent's reply and sends it through the conversation's channel, if it has one. The first reply
 * claims the conversation. Throws `conversation_not_found`, `channel_unreachable` and `channel_window_closed`.
 */
export async function sendAgentReply(dependencies: Dependencies, reply: AgentReply): Promise<AgentMessage> {
  const { database, clock, scheduleDeliveries } = dependencies;
  const lane = await findReplyLane(database.kysely, reply);
  const open = lane && (await dependencies.findAccount(lane.channelId));
  if (lane && !(open && lane.isOpen)) throw new AppError('channel_unreachable');
  const { workspaceId, conversationId, content, authorEmail } = reply;
  const now = clock.now();
  const messageId = await eventTransaction(
    { database: database.kysely, scheduleDeliveries },
    async (transaction) => {
      const id = await storeMessage(transaction, {
        workspaceId,
        conversationId,
        role: 'agent',
        content,
        metadata: null,
        author: authorEmail,
        now,
      });
      if (!lane || !open) return id;
      const { to, channelId, heardAt } = lane;
      await queueParts(transaction, {
        channelId,
        workspaceId,
        conversationId,
        messageId: id,
        to,
        parts: renderAgentParts(open, { id, content, to, heardAt, now }),
        now,
      });
      return id;
    },
  );
  if (lane !== null) {
    const key = { channelId: lane.channelId, lane: lane.to.lane };
    wakeLaneInBackground(dependencies, { name: 'deliver', id: messageId, key });
  }
  return {
    id: messageId,
    content,
    author: authorEmail,
    createdAt: now,
    delivery: lane === null ? null : { status: 'queued', reason: null, at: now },
  };
}

interface ReplyContext {
  /** Id of the message. */
  readonly id: string;
  readonly content: string;
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
  { id, content, to, heardAt, now }: ReplyContext,
): readonly OutboundPart[] {
  const reply: Reply = {
    id,
    author: 'agent',
    text: content,
    sources: [],
    replyTo: null,
    offers: [],
    handover: true,
  };
  const opening = toReplyWindow({ connector, account }, { to, heardAt, now });
  const { window } = connector.facets;
  if (window === undefined || opening === null || opening.isOpen) return connector.render(reply, to, account);
  const template = window.renderTemplate(reply, to, account);
  if (template !== null) return [template];
  throw new AppError('channel_window_closed', { detail: window.reason });
}
