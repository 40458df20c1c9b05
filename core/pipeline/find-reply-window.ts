import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { replyLane } from './reply-lane.ts';
import { type ReplyWindow, replyWindow } from './reply-window.ts';

/** Until when one may write in a conversation; null where that is always, or never: it is in no channel that is in use. */
export async function findReplyWindow(
  { database, clock, findAccount }: Pick<PipelineDependencies, 'database' | 'clock' | 'findAccount'>,
  conversation: Parameters<typeof replyLane>[1],
): Promise<ReplyWindow | null> {
  const lane = await replyLane(database.kysely, conversation);
  const open = lane && (await findAccount(lane.channelId));
  return open && replyWindow(open, { to: lane.to, heardAt: lane.heardAt, now: clock.now() });
}
