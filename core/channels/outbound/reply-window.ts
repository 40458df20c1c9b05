import type { Kysely } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { storedJson } from '../../base/text.ts';
import type { ConversationRef } from '../../contract/account.ts';
import type { Database } from '../../storage/database.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { FindAccount, OpenAccount } from '../accounts/channel-account.ts';

/** The time in which a reply may be sent. `closesAt` is null if the visitor has never written. */
export interface ReplyWindow {
  readonly isOpen: boolean;
  readonly closesAt: Date | null;
}

interface WindowContext {
  readonly to: ConversationRef;
  /** Time of the visitor's last message. */
  readonly heardAt: Date | null;
  readonly now: Date;
}

/** Returns the reply window of a conversation, or null if the platform has none. Pure. */
export function toReplyWindow(
  { connector, account }: Pick<OpenAccount, 'connector' | 'account'>,
  { to, heardAt, now }: WindowContext,
): ReplyWindow | null {
  const { window } = connector.open(account);
  if (window === undefined || !window.appliesTo(to)) return null;
  if (heardAt === null) return { isOpen: false, closesAt: null };
  const closesAt = new Date(heardAt.getTime() + window.lastsMs);
  return { isOpen: now < closesAt, closesAt };
}

/**
 * Returns the reply window of a conversation. Null if replies are always possible, or if the conversation is in
 * no enabled channel.
 */
export async function findReplyWindow(
  {
    database,
    clock,
    findAccount,
  }: { readonly database: Database; readonly clock: Clock; readonly findAccount: FindAccount },
  conversation: Parameters<typeof findReplyLane>[1],
): Promise<ReplyWindow | null> {
  const lane = await findReplyLane(database.kysely, conversation);
  const open = lane && (await findAccount(lane.channelId));
  return open && toReplyWindow(open, { to: lane.to, heardAt: lane.heardAt, now: clock.now() });
}

/** The lane that an agent's reply is sent to. */
interface ReplyLane {
  readonly channelId: string;
  readonly to: ConversationRef;
  /** True if the platform delivers to the lane and the visitor has not opted out. */
  readonly isOpen: boolean;
  readonly heardAt: Date | null;
}

/** Returns the lane of a conversation, or null if its channel does not send messages. */
export async function findReplyLane(
  database: Kysely<Tables>,
  { workspaceId, conversationId }: { readonly workspaceId: string; readonly conversationId: string },
): Promise<ReplyLane | null> {
  const row = await database
    .selectFrom('lane')
    .select(['channel_id', 'lane', 'address', 'reachable', 'opted_out', 'heard_at'])
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', '=', conversationId)
    .where('continues', '=', false)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    channelId: row.channel_id,
    to: { lane: row.lane, address: storedJson.parse(row.address) },
    isOpen: row.reachable && !row.opted_out,
    heardAt: row.heard_at,
  };
}
