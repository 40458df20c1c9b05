import { type Kysely, sql, type Transaction } from 'kysely';
import { storedJson } from '../../core/base/text.ts';
import type { FindAccount, OpenAccount } from '../../core/channels/channel-account.ts';
import type { LaneKey } from '../../core/channels/inbound/lane.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import { wakeLaneInBackground } from '../../core/channels/inbound/wake-lanes.ts';
import { renderAgentParts } from '../../core/channels/outbound/agent-reply.ts';
import { queueParts } from '../../core/channels/outbound/outbox.ts';
import { parseAttachments } from '../../core/conversations/messages.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';

type Dependencies = Pick<LaneDependencies, 'clock' | 'database' | 'log' | 'queue'> & {
  readonly findAccount: FindAccount;
};

/**
 * Time that a visitor has to read a reply in the widget before it is sent by email, and the age up to which it
 * is still sent.
 */
const unreadAfter = sql`interval '2 minutes'`;
const maxReplyAge = sql`interval '1 day'`;
const MAX_REPLIES = 20;

interface Unread {
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

/**
 * Sends agents' replies by email to visitors of a widget or hosted page who have not read them, if they left an
 * address and the workspace has an email channel. Answers to the email continue the same conversation.
 */
export async function sendEmailFallbacks(dependencies: Dependencies): Promise<void> {
  const { database, clock, findAccount } = dependencies;
  for (const reply of await unreadReplies(database.kysely, clock.now())) {
    // Loaded before the transaction: the embedded database has one connection, so a query inside the
    // transaction would deadlock.
    const open = await findAccount(reply.channel_id);
    if (open === null) continue;
    const key = await database.kysely.transaction().execute(async (transaction) => {
      const isLocked = await lockReply(transaction, reply.id);
      return isLocked ? queueEmail(transaction, { reply, open, now: clock.now() }) : null;
    });
    if (key !== null) wakeLaneInBackground(dependencies, { name: 'deliver', id: reply.id, key });
  }
}

async function unreadReplies(database: Kysely<Tables>, now: Date): Promise<readonly Unread[]> {
  const { rows } = await sql<Unread>`
    select message.id, message.content, message.metadata, message.created_at, message.workspace_id, message.conversation_id,
           conversation.customer_email as email, conversation.customer_name as name, workspace.name as workspace,
           mailbox.id as channel_id
    from message
    join conversation on conversation.id = message.conversation_id
    join visitor on visitor.id = conversation.session_id and visitor.workspace_id = conversation.workspace_id
    join workspace on workspace.id = message.workspace_id and workspace.deleted_at is null
    join lateral (
      select channel.id from channel
      where channel.workspace_id = message.workspace_id and channel.channel = 'email' and channel.enabled
      order by channel.created_at limit 1
    ) mailbox on true
    where message.role = 'agent' and message.created_at > ${now}::timestamptz - ${maxReplyAge}
      and message.created_at < ${now}::timestamptz - ${unreadAfter}
      and conversation.channel in ('widget', 'hosted') and conversation.customer_email is not null
      and visitor.read_at < message.created_at
      and not exists (select from outbound_part where outbound_part.message_id = message.id)
    order by message.created_at limit ${MAX_REPLIES}
  `.execute(database);
  return rows;
}

/** Returns false if another process has queued the reply already. */
async function lockReply(transaction: Transaction<Tables>, id: string): Promise<boolean> {
  const { rows } = await sql`select from message where id = ${id} for update`.execute(transaction);
  if (rows.length === 0) return false;
  const queued = await transaction
    .selectFrom('outbound_part')
    .select('number')
    .where('message_id', '=', id)
    .executeTakeFirst();
  return queued === undefined;
}

async function queueEmail(
  transaction: Transaction<Tables>,
  { reply, open, now }: { readonly reply: Unread; readonly open: OpenAccount; readonly now: Date },
): Promise<LaneKey | null> {
  const { startConversation } = open.connector.facets;
  if (startConversation === undefined) return null;
  const { email, name, workspace: subject, conversation_id: conversationId } = reply;
  const { to, remember } = startConversation({ email, name, subject, key: conversationId }, open.account);
  const { rows } = await sql<{ address: unknown }>`
    insert into lane (channel_id, lane, workspace_id, address, conversation_id, continues)
    values (${reply.channel_id}, ${to.lane}, ${reply.workspace_id}, ${JSON.stringify(to.address)}::jsonb,
            ${conversationId}, true)
    on conflict (channel_id, lane) do update set continues = true
    returning address
  `.execute(transaction);
  // Keep an existing address, so that emails from the visitor in the meantime are answered in their thread.
  const at = { lane: to.lane, address: storedJson.parse(rows[0]?.address) };
  for (const { key, value } of remember) {
    await sql`
      insert into channel_memory (channel_id, key, value, at)
      values (${reply.channel_id}, ${key}, ${JSON.stringify(value)}::jsonb, ${now})
      on conflict (channel_id, key) do nothing
    `.execute(transaction);
  }
  await queueParts(transaction, {
    channelId: reply.channel_id,
    workspaceId: reply.workspace_id,
    conversationId,
    messageId: reply.id,
    to: at,
    parts: renderAgentParts(open, {
      id: reply.id,
      content: reply.content,
      attachments: parseAttachments(reply.metadata),
      to: at,
      heardAt: null,
      now,
    }),
    now,
  });
  return { channelId: reply.channel_id, lane: to.lane };
}
