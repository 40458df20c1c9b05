import type { MessageDelivery } from '../conversations/message-delivery.ts';
import { storeMessage } from '../conversations/store-message.ts';
import { AppError } from '../errors.ts';
import { tellingTransaction } from '../webhooks/telling-transaction.ts';
import { agentParts } from './agent-parts.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { queueReply } from './queue-reply.ts';
import { replyLane } from './reply-lane.ts';
import { wakeLaneInBackground } from './wake-lane.ts';

export interface AgentReply {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly content: string;
  readonly authorEmail: string;
}

/** A reply as it was stored. */
export interface AgentMessage {
  readonly id: string;
  readonly content: string;
  readonly author: string;
  readonly createdAt: Date;
  /** Null where its conversation is in no channel. */
  readonly delivery: MessageDelivery | null;
}

type Dependencies = Pick<
  PipelineDependencies,
  'database' | 'clock' | 'queue' | 'log' | 'findAccount' | 'wakeDeliveries'
>;

/**
 * Says something as a person, through the channel of the conversation where it has one; the first reply claims the
 * conversation. Throws `conversation_not_found`, `channel_unreachable` and `channel_window_closed`.
 */
export async function replyAsAgent(dependencies: Dependencies, reply: AgentReply): Promise<AgentMessage> {
  const { database, clock, wakeDeliveries } = dependencies;
  const lane = await replyLane(database.kysely, reply);
  const open = lane && (await dependencies.findAccount(lane.channelId));
  if (lane && !(open && lane.isOpen)) throw new AppError('channel_unreachable');
  const { workspaceId, conversationId, content, authorEmail } = reply;
  const now = clock.now();
  const messageId = await tellingTransaction(
    { database: database.kysely, wakeDeliveries },
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
      await queueReply(transaction, {
        channelId,
        workspaceId,
        conversationId,
        messageId: id,
        to,
        parts: agentParts(open, { id, content, to, heardAt, now }),
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
