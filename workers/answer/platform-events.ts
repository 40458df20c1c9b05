import type { Transaction } from 'kysely';
import type { Logger } from '../../core/base/log.ts';
import type { OpenAccount } from '../../core/channels/accounts/channel-account.ts';
import { assertLeaseHeld, type HeldLane, type LaneKey } from '../../core/channels/inbound/lane.ts';
import {
  findLaneConversation,
  findOrCreateConversation,
  setReachable,
  updateLaneAddress,
} from '../../core/channels/inbound/lane-conversation.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import { markEventsHandled } from '../../core/channels/inbound/lane-work.ts';
import { onCollectionOver, onMoreRequested } from '../../core/channels/outbound/collected-parts.ts';
import { onDeliveryReport } from '../../core/channels/outbound/delivery-reports.ts';
import type { ConversationRef } from '../../core/contract/account.ts';
import { namedActor } from '../../core/contract/actor.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { changeStatus } from '../../core/conversations/change-row.ts';
import { storeMessage } from '../../core/conversations/messages/store-message.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { eventTransaction } from '../../core/webhooks/event-transaction.ts';
import { onEdit, onFeedback, onRelatedConversation } from './message-events.ts';

type PlatformEvent = Exclude<InboundEvent, { type: 'message' }>;

interface PlatformEventContext {
  readonly held: HeldLane;
  readonly open: OpenAccount;
  readonly numbers: readonly string[];
  readonly event: PlatformEvent;
}

type Dependencies = Pick<
  LaneDependencies,
  'channelAccounts' | 'clock' | 'connectorCalls' | 'database' | 'log' | 'scheduleDeliveries'
>;

/** Handles an event that is not a visitor's message. */
export async function handlePlatformEvent(
  dependencies: Dependencies,
  context: PlatformEventContext,
): Promise<void> {
  const { database, clock, log, scheduleDeliveries, channelAccounts } = dependencies;
  const { held, open, numbers, event } = context;
  if (event.type === 'account-lost') {
    await channelAccounts.setStatus(open.account.id, 'error', event.because);
  }
  await eventTransaction({ database: database.kysely, scheduleDeliveries }, async (transaction) => {
    await assertLeaseHeld(transaction, held);
    const now = clock.now();
    await handleEvent(transaction, { ...context, now, log });
    await markEventsHandled(transaction, { channelId: held.channelId, numbers, now });
  });
  if (event.type === 'opened') sendWelcome(dependencies, open, event.conversation);
}

async function handleEvent(
  transaction: Transaction<Tables>,
  { held: key, open, event, now, log }: PlatformEventContext & { readonly now: Date; readonly log: Logger },
): Promise<void> {
  const { channelId } = key;
  switch (event.type) {
    case 'moved':
      return updateLaneAddress(transaction, { channelId, from: event.from, to: event.to });
    case 'reachable':
      return onReachable(transaction, { channelId, event });
    case 'delivery-reported':
      return onDeliveryReport(transaction, { channelId, event });
    case 'message-edited':
    case 'message-deleted':
      return onEdit(transaction, { key, workspaceId: open.workspaceId, event, now });
    case 'person-replied':
      return onAgentMessage(transaction, { key, open, event, now });
    case 'status-changed':
      return onStatusChange(transaction, { key, open, event, now });
    case 'related':
      return onRelatedConversation(transaction, { key, workspaceId: open.workspaceId, event, now });
    case 'feedback':
      return onFeedback(transaction, { channelId, event, now, log });
    case 'asked-for':
      return onMoreRequested(transaction, { channelId, event, now });
    case 'collection-over':
      return onCollectionOver(transaction, { channelId, event });
    case 'opened':
    case 'account-lost':
    case 'unsupported':
      return;
  }
}

interface AgentMessage {
  readonly key: LaneKey;
  readonly open: OpenAccount;
  readonly event: Extract<InboundEvent, { type: 'person-replied' }>;
  readonly now: Date;
}

/** Stores an agent's reply from the platform's own inbox and assigns the conversation to a person. */
async function onAgentMessage(
  transaction: Transaction<Tables>,
  { key, open, event, now }: AgentMessage,
): Promise<void> {
  const { conversation: to, sender, text, messageId } = event;
  const conversationId = await findOrCreateConversation(transaction, {
    key,
    open,
    to,
    customer: null,
    heardAt: null,
    now,
  });
  await storeMessage(transaction, {
    workspaceId: open.workspaceId,
    conversationId,
    role: 'agent',
    content: text,
    metadata: { channel_message_ids: [messageId], sender: { id: sender.id, name: sender.name } },
    author: sender.email ?? sender.name ?? sender.id,
    now,
  });
}

interface StatusChange {
  readonly key: LaneKey;
  readonly open: OpenAccount;
  readonly event: Extract<InboundEvent, { type: 'status-changed' }>;
  readonly now: Date;
}

/** Applies a status change from the platform's own inbox. For an unknown conversation only a claim matters. */
async function onStatusChange(
  transaction: Transaction<Tables>,
  { key, open, event, now }: StatusChange,
): Promise<void> {
  const { conversation: to, status, by } = event;
  const existing = await findLaneConversation(transaction, key, now);
  if (existing === null && status !== 'claimed') return;
  const id = await findOrCreateConversation(transaction, {
    key,
    open,
    to,
    customer: null,
    heardAt: null,
    now,
  });
  await changeStatus(transaction, { id, workspaceId: open.workspaceId, status, actor: namedActor(by), now });
}

interface ReachabilityChange {
  readonly channelId: string;
  readonly event: Extract<InboundEvent, { type: 'reachable' }>;
}

/** Stores whether the platform still delivers to the lane, or whether the visitor opted out. */
function onReachable(
  transaction: Transaction<Tables>,
  { channelId, event: { conversation, reachable, wished } }: ReachabilityChange,
): Promise<void> {
  const optOut = wished === true && { opted_out: !reachable };
  return setReachable(transaction, { channelId, lane: conversation.lane }, { reachable, ...optOut });
}

/** Shows suggested questions to a visitor if the platform supports it. Failures are logged only. */
function sendWelcome(
  { connectorCalls: calls, log }: Pick<LaneDependencies, 'connectorCalls' | 'log'>,
  { account, connector }: OpenAccount,
  to: ConversationRef,
): void {
  const showWelcome = connector.open(account).welcome;
  if (showWelcome === undefined) return;
  calls
    .call(account, (tools) => showWelcome(to, tools))
    .catch((err: unknown) => log.warn({ err, channel: account.id }, 'sending a welcome failed'));
}
