import type { Kysely } from 'kysely';
import type { FindAccount, OpenAccount } from '../channels/channel-account.ts';
import type { Clock } from '../clock.ts';
import type { ConversationRef } from '../contract/account.ts';
import type { Database } from '../storage/database.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { storedJson } from '../text.ts';

/** Until when something may be said; `closesAt` is null where the visitor was never heard of. */
export interface ReplyWindow {
  readonly isOpen: boolean;
  readonly closesAt: Date | null;
}

interface Place {
  readonly to: ConversationRef;
  /** When the visitor was last heard of. */
  readonly heardAt: Date | null;
  readonly now: Date;
}

/** Null where it may be said at any time. Pure. */
export function toReplyWindow(
  { connector, account }: Pick<OpenAccount, 'connector' | 'account'>,
  { to, heardAt, now }: Place,
): ReplyWindow | null {
  const { window } = connector.facets;
  if (window === undefined || !window.appliesTo(to, account)) return null;
  if (heardAt === null) return { isOpen: false, closesAt: null };
  const closesAt = new Date(heardAt.getTime() + window.lastsMs);
  return { isOpen: now < closesAt, closesAt };
}

/** Until when one may write in a conversation; null where that is always, or never: it is in no channel that is in use. */
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

/** Where a person's reply in a conversation goes. */
interface ReplyLane {
  readonly channelId: string;
  readonly to: ConversationRef;
  /** Whether the platform takes something there, and the visitor wants it. */
  readonly isOpen: boolean;
  readonly heardAt: Date | null;
}

/** Null where the conversation is in no channel that messages are sent through. */
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
