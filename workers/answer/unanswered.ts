import { sql, type Transaction } from 'kysely';
import type { OpenAccount } from '../../core/channels/channel-account.ts';
import { applySkillEffects } from '../../core/conversations/apply-effects.ts';
import { writeNote } from '../../core/conversations/notes.ts';
import { storeMessage } from '../../core/conversations/store-message.ts';
import { assertLeaseHeld, type HeldLane } from '../../core/inbound/lane.ts';
import {
  createLaneConversation,
  senderCustomer,
  setLaneConversation,
} from '../../core/inbound/lane-conversation.ts';
import type { LaneDependencies } from '../../core/inbound/lane-dependencies.ts';
import { markEventsHandled } from '../../core/inbound/lane-work.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { eventTransaction } from '../../core/webhooks/event-transaction.ts';
import type { AskedTurn, VisitorTurn } from './plan-turn.ts';

interface Said {
  readonly held: HeldLane;
  readonly open: OpenAccount;
  readonly turn: VisitorTurn;
  readonly numbers: readonly string[];
  /** Null where it begins one. */
  readonly conversationId: string | null;
}

/** Stores what a visitor says to the person who has the conversation. */
export async function storeForAgent(
  { database, clock, wakeDeliveries }: Pick<LaneDependencies, 'database' | 'clock' | 'wakeDeliveries'>,
  { held, open, turn, numbers, conversationId: known }: Said,
): Promise<void> {
  const now = clock.now();
  await eventTransaction({ database: database.kysely, wakeDeliveries }, async (transaction) => {
    await assertLeaseHeld(transaction, held);
    const conversationId =
      known ??
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

/** Who presses for the person who has his conversation already says nothing new. */
function isRepeatedHandover({ command, text }: VisitorTurn): boolean {
  return command === 'human' && text === '';
}

interface Parked extends Pick<AskedTurn, 'held' | 'open' | 'turn' | 'numbers' | 'conversation'> {
  readonly because: string;
}

/** In the notes and the audit log. */
const author = 'system';
/** So long the same is not noted again. */
const notedMs = 24 * 60 * 60 * 1_000;

/**
 * Keeps what is not answered in its conversation, with a note that says why; its status stays as it is, unless a person
 * is to look at it.
 */
export async function storeUnanswered(
  { database, clock, wakeDeliveries }: Pick<LaneDependencies, 'database' | 'clock' | 'wakeDeliveries'>,
  { held, open, turn, numbers, conversation, because }: Parked,
): Promise<void> {
  const now = clock.now();
  const { workspaceId } = open;
  await eventTransaction({ database: database.kysely, wakeDeliveries }, async (transaction) => {
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
    await keepLane(transaction, { channelId: held.channelId, conversationId: id, turn });
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
  const noted = await transaction
    .selectFrom('note')
    .select('id')
    .where('conversation_id', '=', id)
    .where('author', '=', author)
    .where('content', '=', content)
    .where('created_at', '>', new Date(now.getTime() - notedMs))
    .executeTakeFirst();
  if (noted !== undefined) return;
  await writeNote(
    transaction,
    { id, workspaceId, actor: author, at: now },
    { content, authorEmail: undefined },
  );
}

/** What a machine wrote does not change where a person's answers go. */
async function keepLane(
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

interface Asked {
  readonly held: HeldLane;
  readonly turn: VisitorTurn;
  readonly numbers: readonly string[];
}

/**
 * Sends the next part that was kept of the newest answer, where the visitor asks for more: the word itself is no part of
 * the conversation. False where nothing is kept of it: then it is an ordinary word.
 */
export async function sendContinuation(
  { database, clock, wakeDeliveries }: Pick<LaneDependencies, 'database' | 'clock' | 'wakeDeliveries'>,
  { held, turn, numbers }: Asked,
): Promise<boolean> {
  const { channelId, lane } = held;
  const now = clock.now();
  return eventTransaction({ database: database.kysely, wakeDeliveries }, async (transaction) => {
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

/** What is kept of a visitor's message beside its text. Files are not fetched. */
export function toMessageMetadata({
  messageIds,
  sender,
  attachments,
  texts,
}: VisitorTurn): Readonly<Record<string, unknown>> {
  return {
    channel_message_ids: messageIds,
    // One of several may be edited or deleted later.
    ...(texts.length > 1 && { channel_texts: texts }),
    sender: { id: sender.id, name: sender.name },
    ...(attachments.length > 0 && { attachments }),
  };
}
