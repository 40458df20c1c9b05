import { sql, type Transaction } from 'kysely';
import type { OpenAccount } from '../../core/channels/channel-account.ts';
import { assertLeaseHeld, type HeldLane } from '../../core/channels/inbound/lane.ts';
import {
  createLaneConversation,
  senderCustomer,
  setLaneConversation,
} from '../../core/channels/inbound/lane-conversation.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import { markEventsHandled } from '../../core/channels/inbound/lane-work.ts';
import { namedActor } from '../../core/contract/actor.ts';
import { applySkillEffects } from '../../core/conversations/apply-effects.ts';
import { writeNote } from '../../core/conversations/notes.ts';
import { storeMessage } from '../../core/conversations/store-message.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
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

/** Stores a visitor's turn for the agent who has the conversation. */
export async function storeForAgent(
  {
    database,
    clock,
    scheduleDeliveries,
  }: Pick<LaneDependencies, 'database' | 'clock' | 'scheduleDeliveries'>,
  { held, open, turn, numbers, conversationId: existingId }: AgentTurn,
): Promise<void> {
  const now = clock.now();
  await eventTransaction({ database: database.kysely, scheduleDeliveries }, async (transaction) => {
    await assertLeaseHeld(transaction, held);
    const conversationId =
      existingId ??
      (await createLaneConversation(transaction, {
        key: held,
        open,
        customer: senderCustomer(turn.sender),
        now,
      }));
    if (!isRepeatedHandover(turn)) {
      await storeMessage(transaction, {
        workspaceId: open.workspaceId,
        conversationId,
        role: 'user',
        content: turn.text,
        metadata: toMessageMetadata(turn),
        author: null,
        now,
      });
    }
    await setLaneConversation(transaction, held, {
      to: turn.conversation,
      conversationId,
      heardAt: turn.sentAt,
    });
    await markEventsHandled(transaction, { channelId: held.channelId, numbers, now });
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
): Promise<void> {
  const now = clock.now();
  const { workspaceId } = open;
  await eventTransaction({ database: database.kysely, scheduleDeliveries }, async (transaction) => {
    await assertLeaseHeld(transaction, held);
    const id =
      conversation?.id ??
      (await createLaneConversation(transaction, {
        key: held,
        open,
        customer: senderCustomer(turn.sender),
        now,
      }));
    await storeMessage(transaction, {
      workspaceId,
      conversationId: id,
      role: 'user',
      content: turn.text,
      metadata: { ...toMessageMetadata(turn), parked: because },
      author: null,
      now,
      isIdle: turn.command !== 'human',
    });
    await writeNoteOnce(transaction, { id, workspaceId, content: `parked: ${because}`, now });
    if (turn.command === 'human') {
      const effects = [{ kind: 'escalate', reason: because }] as const;
      const acted = { workspaceId, conversationId: id, effects, awaited: undefined };
      await applySkillEffects(transaction, acted, now);
    }
    await linkLane(transaction, { channelId: held.channelId, conversationId: id, turn });
    await markEventsHandled(transaction, { channelId: held.channelId, numbers, now });
  });
}

interface Note {
  readonly id: string;
  readonly workspaceId: string;
  readonly content: string;
  readonly now: Date;
}

async function writeNoteOnce(
  transaction: Transaction<Tables>,
  { id, workspaceId, content, now }: Note,
): Promise<void> {
  const recentNote = await transaction
    .selectFrom('note')
    .select('id')
    .where('conversation_id', '=', id)
    .where('author', '=', author)
    .where('content', '=', content)
    .where('created_at', '>', new Date(now.getTime() - NOTE_INTERVAL_MS))
    .executeTakeFirst();
  if (recentNote !== undefined) return;
  await writeNote(
    transaction,
    { id, workspaceId, actor: namedActor(author), at: now },
    { content, authorEmail: undefined },
  );
}

/** Keeps an existing address, because a bot's message must not redirect the answers to a person. */
async function linkLane(
  transaction: Transaction<Tables>,
  {
    channelId,
    conversationId,
    turn: { conversation },
  }: { readonly channelId: string; readonly conversationId: string; readonly turn: VisitorTurn },
): Promise<void> {
  await sql`
    update lane
    set conversation_id = ${conversationId}, address = coalesce(address, ${JSON.stringify(conversation.address)}::jsonb)
    where channel_id = ${channelId} and lane = ${conversation.lane}
  `.execute(transaction);
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
  const { channelId, lane } = held;
  const now = clock.now();
  return eventTransaction({ database: database.kysely, scheduleDeliveries }, async (transaction) => {
    await assertLeaseHeld(transaction, held);
    const released = await sql`
      update outbound_part set status = 'waiting', next_attempt_at = ${now}
      where number = (
        select min(number) from outbound_part
        where channel_id = ${channelId} and lane = ${lane} and status = 'held' and collect_key is null and message_id = (
          select message_id from outbound_part
          where channel_id = ${channelId} and lane = ${lane} order by number desc limit 1
        )
      )
      returning 1
    `.execute(transaction);
    if (released.rows.length === 0) return false;
    await transaction
      .updateTable('lane')
      .set({ heard_at: sql<Date>`greatest(heard_at, ${turn.sentAt})` })
      .where('channel_id', '=', channelId)
      .where('lane', '=', lane)
      .execute();
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
    // Kept to apply a later edit or deletion of one of the messages.
    ...(texts.length > 1 && { channel_texts: texts }),
    sender: { id: sender.id, name: sender.name },
    ...(attachments.length > 0 && { attachments }),
  };
}
