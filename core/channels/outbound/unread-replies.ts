import { type Kysely, sql, type Transaction } from 'kysely';
import { visitorChannelList } from '../../conversations/visitor-conversations.ts';
import type { Tables } from '../../storage/tables/tables.ts';

/**
 * Time that a visitor has to read a reply in the widget before it is sent by email, and the age up to which it
 * is still sent.
 */
const unreadAfter = sql`interval '2 minutes'`;

const maxReplyAge = sql`interval '1 day'`;

const MAX_REPLIES = 20;

export interface UnreadReply {
  readonly id: string;
  readonly content: string;
  readonly metadata: unknown;
  readonly created_at: Date;
  readonly workspace_id: string;
  readonly conversation_id: string;
  readonly email: string;
  readonly name: string | null;
  readonly workspace: string;
  readonly channel_id: string;
}

/** Returns agents' replies that visitors with an address have not read, oldest first, with the channel to send them by: one of `mailboxes`, the channels of mail. */
export async function findUnreadReplies(
  database: Kysely<Tables>,
  { mailboxes, now }: { readonly mailboxes: readonly string[]; readonly now: Date },
): Promise<readonly UnreadReply[]> {
  const { rows } = await sql<UnreadReply>`
    select message.id, message.content, message.metadata, message.created_at, message.workspace_id, message.conversation_id,
           conversation.customer_email as email, conversation.customer_name as name, workspace.name as workspace,
           mailbox.id as channel_id
    from message
    join conversation on conversation.id = message.conversation_id
    join visitor on visitor.id = conversation.session_id and visitor.workspace_id = conversation.workspace_id
    join workspace on workspace.id = message.workspace_id and workspace.deleted_at is null
    join lateral (
      select channel.id from channel
      where channel.workspace_id = message.workspace_id and channel.channel = any(${[...mailboxes]}::text[]) and channel.enabled
      order by channel.created_at limit 1
    ) mailbox on true
    where message.role = 'agent' and message.created_at > ${now}::timestamptz - ${maxReplyAge}
      and message.created_at < ${now}::timestamptz - ${unreadAfter}
      and conversation.channel in ${visitorChannelList} and conversation.customer_email is not null
      and visitor.read_at < message.created_at
      and not exists (select from outbound_part where outbound_part.message_id = message.id)
    order by message.created_at limit ${MAX_REPLIES}
  `.execute(database);
  return rows;
}

/** Returns false if another process has queued the reply already. */
export async function lockReply(transaction: Transaction<Tables>, id: string): Promise<boolean> {
  const { rows } = await sql`select from message where id = ${id} for update`.execute(transaction);
  if (rows.length === 0) return false;
  const queued = await transaction
    .selectFrom('outbound_part')
    .select('number')
    .where('message_id', '=', id)
    .executeTakeFirst();
  return queued === undefined;
}
