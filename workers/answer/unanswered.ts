import type { OpenAccount } from '../../core/channels/accounts/channel-account.ts';
import { assertLeaseHeld, type HeldLane } from '../../core/channels/inbound/lane.ts';
import {
  createLaneConversation,
  senderCustomer,
  setLaneConversation,
} from '../../core/channels/inbound/lane-conversation.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import { linkLane, recordHeard } from '../../core/channels/inbound/lane-records.ts';
import { markEventsHandled } from '../../core/channels/inbound/lane-work.ts';
import { releaseHeldPart } from '../../core/channels/outbound/part-records.ts';
import { applySkillEffects } from '../../core/conversations/apply-effects.ts';
import { writeNoteOnce } from '../../core/conversations/messages/notes.ts';
import { storeMessage } from '../../core/conversations/messages/store-message.ts';
import { eventTransaction } from '../../core/webhooks/event-transaction.ts';
import type { AskedTurn, VisitorTurn } from './plan-turn.ts';

interface AgentTurn {
  readonly held: HeldLane;
  readonly open: OpenAccount;
  readonly turn: VisitorTurn;
  readonly numbers: readonly string[];
  /** Null if the turn starts a conversation. */
  readonly conversationId: string | null;
}

/** Where a turn was stored. The id is null if the turn says nothing new. */
interface StoredTurn {
  readonly messageId: string | null;
  readonly conversationId: string;
}

/** Stores a visitor's turn for the agent who has the conversation. */
export async function storeForAgent(
  {
    database,
    clock,
    scheduleDeliveries,
  }: Pick<LaneDependencies, 'database' | 'clock' | 'scheduleDeliveries'>,
  { held, open, turn, numbers, conversationId: existingId }: AgentTurn,
): Promise<StoredTurn> {
  const now = clock.now();
  return eventTransaction({ database: database.kysely, scheduleDeliveries }, async (transaction) => {
    await assertLeaseHeld(transaction, held);
    const conversationId =
      existingId ??
      (await createLaneConversation(transaction, {
        key: held,
        open,
        customer: senderCustomer(turn.sender),
        now,
      }));
    const messageId = isRepeatedHandover(turn)
      ? null
      : await storeMessage(transaction, {
          workspaceId: open.workspaceId,
          conversationId,
          role: 'user',
          content: turn.text,
          metadata: toMessageMetadata(turn),
          author: null,
          now,
        });
    await setLaneConversation(transaction, held, {
      to: turn.conversation,
      conversationId,
      heardAt: turn.sentAt,
    });
    await markEventsHandled(transaction, { channelId: held.channelId, numbers, now });
    return { messageId, conversationId };
  });
}

/** The visitor requested an agent again while an agent already has the conversation. */
function isRepeatedHandover({ command, text }: VisitorTurn): boolean {
  return command === 'human' && text === '';
}

interface UnansweredTurn extends Pick<AskedTurn, 'held' | 'open' | 'turn' | 'numbers' | 'conversation'> {
  readonly because: string;
}

/** Author of the notes and the audit entries. */
const author = 'system';
/** Interval in which the same note is not written twice. */
const NOTE_INTERVAL_MS = 24 * 60 * 60 * 1_000;

/**
 * Stores a turn without an answer, with a note that gives the reason. The conversation keeps its status, unless
 * the visitor asked for a person.
 */
export async function storeUnanswered(
  {
    database,
    clock,
    scheduleDeliveries,
  }: Pick<LaneDependencies, 'database' | 'clock' | 'scheduleDeliveries'>,
  { held, open, turn, numbers, conversation, because }: UnansweredTurn,
): Promise<StoredTurn> {
  const now = clock.now();
  const { workspaceId } = open;
  return eventTransaction({ database: database.kysely, scheduleDeliveries }, async (transaction) => {
    await assertLeaseHeld(transaction, held);
    const id =
      conversation?.id ??
      (await createLaneConversation(transaction, {
        key: held,
        open,
        customer: senderCustomer(turn.sender),
        now,
      }));
    const messageId = await storeMessage(transaction, {
      workspaceId,
      conversationId: id,
      role: 'user',
      content: turn.text,
      metadata: { ...toMessageMetadata(turn), parked: because },
      author: null,
      now,
      isIdle: turn.command !== 'human',
    });
    await writeNoteOnce(transaction, {
      ...{ id, workspaceId, author, now },
      content: `parked: ${because}`,
      withinMs: NOTE_INTERVAL_MS,
    });
    if (turn.command === 'human') {
      const effects = [{ kind: 'escalate', reason: because }] as const;
      const acted = { workspaceId, conversationId: id, effects, awaited: undefined };
      await applySkillEffects(transaction, acted, now);
    }
    await linkLane(transaction, { channelId: held.channelId, conversationId: id, to: turn.conversation });
    await markEventsHandled(transaction, { channelId: held.channelId, numbers, now });
    return { messageId, conversationId: id };
  });
}

interface ContinuationRequest {
  readonly held: HeldLane;
  readonly turn: VisitorTurn;
  readonly numbers: readonly string[];
}

/**
 * Queues the next held part of the newest answer when the visitor asks for more. The request itself is not
 * stored. Returns false if no part is held, in which case the text is an ordinary message.
 */
export async function sendContinuation(
  {
    database,
    clock,
    scheduleDeliveries,
  }: Pick<LaneDependencies, 'database' | 'clock' | 'scheduleDeliveries'>,
  { held, turn, numbers }: ContinuationRequest,
): Promise<boolean> {
  const { channelId } = held;
  const now = clock.now();
  return eventTransaction({ database: database.kysely, scheduleDeliveries }, async (transaction) => {
    await assertLeaseHeld(transaction, held);
    if (!(await releaseHeldPart(transaction, held, now))) return false;
    await recordHeard(transaction, held, turn.sentAt);
    await markEventsHandled(transaction, { channelId, numbers, now });
    return true;
  });
}

/** Returns the metadata stored with a visitor's message. Attached files are not fetched. */
export function toMessageMetadata({
  messageIds,
  sender,
  attachments,
  texts,
}: VisitorTurn): Readonly<Record<string, unknown>> {
  return {
    channel_message_ids: messageIds,
    // The texts are kept to apply a later edit or deletion of one of the messages.
    ...(texts.length > 1 && { channel_texts: texts }),
    sender: { id: sender.id, name: sender.name },
    ...(attachments.length > 0 && { attachments }),
  };
}
