import { sql, type Transaction } from 'kysely';
import { applyEffects } from '../conversations/apply-effects.ts';
import { storeMessage } from '../conversations/store-message.ts';
import { writeNote } from '../conversations/write-note.ts';
import type { Tables } from '../storage/tables.ts';
import { tellingTransaction } from '../webhooks/telling-transaction.ts';
import type { AskedTurn } from './asked-turn.ts';
import { beginInLane, senderCustomer } from './begin-in-lane.ts';
import { requireHeld } from './hold-lane.ts';
import { markHandled } from './mark-handled.ts';
import { messageMetadata } from './message-metadata.ts';
import type { VisitorTurn } from './next-step.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

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
export async function parkTurn(
  { database, clock, wakeDeliveries }: Pick<PipelineDependencies, 'database' | 'clock' | 'wakeDeliveries'>,
  { held, open, turn, numbers, conversation, because }: Parked,
): Promise<void> {
  const now = clock.now();
  const { workspaceId } = open;
  await tellingTransaction({ database: database.kysely, wakeDeliveries }, async (transaction) => {
    await requireHeld(transaction, held);
    const id =
      conversation?.id ??
      (await beginInLane(transaction, { key: held, open, customer: senderCustomer(turn.sender), now }));
    await storeMessage(transaction, {
      workspaceId,
      conversationId: id,
      role: 'user',
      content: turn.text,
      metadata: { ...messageMetadata(turn), parked: because },
      author: null,
      now,
      isIdle: turn.command !== 'human',
    });
    await noteOnce(transaction, { id, workspaceId, content: `parked: ${because}`, now });
    if (turn.command === 'human') {
      const effects = [{ kind: 'escalate', reason: because }] as const;
      const acted = { workspaceId, conversationId: id, effects, awaited: undefined };
      await applyEffects(transaction, acted, now);
    }
    await keepLane(transaction, { channelId: held.channelId, conversationId: id, turn });
    await markHandled(transaction, { channelId: held.channelId, numbers, now });
  });
}

interface Note {
  readonly id: string;
  readonly workspaceId: string;
  readonly content: string;
  readonly now: Date;
}

async function noteOnce(
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
