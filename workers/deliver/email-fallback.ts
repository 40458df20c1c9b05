import type { Transaction } from 'kysely';
import type { FindAccount, OpenAccount } from '../../core/channels/accounts/channel-account.ts';
import { rememberNewValues } from '../../core/channels/accounts/remembered-values.ts';
import { type ConnectorRegistry, findMailboxChannels } from '../../core/channels/connector-registry.ts';
import type { LaneKey } from '../../core/channels/inbound/lane.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import { openContinuingLane } from '../../core/channels/inbound/lane-records.ts';
import { wakeLaneInBackground } from '../../core/channels/inbound/wake-lanes.ts';
import { renderAgentParts } from '../../core/channels/outbound/agent-reply.ts';
import { queueParts } from '../../core/channels/outbound/outbox.ts';
import {
  findUnreadReplies,
  lockReply,
  type UnreadReply,
} from '../../core/channels/outbound/unread-replies.ts';
import { parseAttachments } from '../../core/conversations/messages/messages.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';

type Dependencies = Pick<LaneDependencies, 'clock' | 'database' | 'log' | 'queue'> & {
  readonly connectors: Pick<ConnectorRegistry, 'connectors'>;
  readonly findAccount: FindAccount;
};

/**
 * Sends agents' replies by email to visitors of a widget or hosted page who have not read them, if they left an
 * address and the workspace has an email channel. Answers to the email continue the same conversation.
 */
export async function sendEmailFallbacks(dependencies: Dependencies): Promise<void> {
  const { database, clock, connectors, findAccount } = dependencies;
  const mailboxes = findMailboxChannels(connectors);
  for (const reply of await findUnreadReplies(database.kysely, { mailboxes, now: clock.now() })) {
    // Loaded before the transaction: the embedded database has one connection, so a query inside the
    // transaction would deadlock.
    const open = await findAccount(reply.channel_id);
    if (open === null) continue;
    const key = await database.kysely.transaction().execute(async (transaction) => {
      const isLocked = await lockReply(transaction, reply.id);
      return isLocked ? queueEmail(transaction, { reply, open, now: clock.now() }) : null;
    });
    if (key !== null) wakeLaneInBackground(dependencies, { name: 'deliver', id: reply.id, key });
  }
}

async function queueEmail(
  transaction: Transaction<Tables>,
  { reply, open, now }: { readonly reply: UnreadReply; readonly open: OpenAccount; readonly now: Date },
): Promise<LaneKey | null> {
  const { startConversation } = open.connector.open(open.account);
  if (startConversation === undefined) return null;
  const { email, name, workspace: subject, conversation_id: conversationId } = reply;
  const { to, remember } = startConversation({ email, name, subject, key: conversationId });
  const { channel_id: channelId, workspace_id: workspaceId } = reply;
  const at = await openContinuingLane(transaction, { channelId, workspaceId, conversationId, to });
  await rememberNewValues(transaction, { channelId, remember, now });
  await queueParts(transaction, {
    channelId: reply.channel_id,
    workspaceId: reply.workspace_id,
    conversationId,
    messageId: reply.id,
    to: at,
    parts: renderAgentParts(open, {
      id: reply.id,
      content: reply.content,
      attachments: parseAttachments(reply.metadata),
      to: at,
      heardAt: null,
      now,
    }),
    now,
  });
  return { channelId: reply.channel_id, lane: to.lane };
}
