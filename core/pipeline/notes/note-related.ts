import type { Transaction } from 'kysely';
import type { InboundEvent } from '../../contract/inbound-event.ts';
import { writeNote } from '../../conversations/write-note.ts';
import type { Tables } from '../../storage/tables.ts';
import type { LaneKey } from '../lane-key.ts';

interface Related {
  readonly key: LaneKey;
  readonly workspaceId: string;
  readonly event: Extract<InboundEvent, { type: 'related' }>;
  readonly now: Date;
}

const actor = 'system';

/** Tells in two conversations of one another, for a person to judge; nothing where one of them is not kept. */
export async function noteRelated(
  transaction: Transaction<Tables>,
  { key, workspaceId, event, now }: Related,
): Promise<void> {
  const find = (lane: string) => conversationOf(transaction, { ...key, lane, workspaceId });
  const own = await find(key.lane);
  const other = await find(event.lane);
  if (own === undefined || other === undefined || own === other) return;
  const write = (id: string, content: string) =>
    writeNote(transaction, { id, workspaceId, actor, at: now }, { content, authorEmail: undefined });
  await write(own, `looks like it belongs to conversation ${other}, in which its sender takes no part`);
  await write(other, `looks like conversation ${own} belongs to it, whose sender takes no part here`);
}

/** Also one that is over. */
async function conversationOf(
  transaction: Transaction<Tables>,
  { channelId, lane, workspaceId }: LaneKey & Pick<Related, 'workspaceId'>,
): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('lane')
    .innerJoin('conversation', 'conversation.id', 'lane.conversation_id')
    .select('conversation.id')
    .where('lane.channel_id', '=', channelId)
    .where('lane.lane', '=', lane)
    .where('conversation.workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row?.id;
}
