import { storedJson } from '../storage/stored-json.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { type ReplyWindow, replyWindow } from './reply-window.ts';

/** Until when one may write in a conversation; null where that is always, or never: it is in no channel that is in use. */
export async function findReplyWindow(
  { database, clock, findAccount }: Pick<PipelineDependencies, 'database' | 'clock' | 'findAccount'>,
  conversationId: string,
): Promise<ReplyWindow | null> {
  const lane = await database.kysely
    .selectFrom('lane')
    .select(['channel_id', 'lane', 'address', 'heard_at'])
    .where('conversation_id', '=', conversationId)
    .executeTakeFirst();
  const open = lane === undefined ? null : await findAccount(lane.channel_id);
  if (lane === undefined || open === null) return null;
  const to = { lane: lane.lane, address: storedJson.parse(lane.address) };
  return replyWindow(open, { to, heardAt: lane.heard_at, now: clock.now() });
}
