import type { DatabasePool } from '../../../../core/storage/database.ts';

interface Filling {
  readonly workspaceId: string;
  readonly conversations: number;
  /** The number of messages of each conversation, half of them the visitor's. */
  readonly messages: number;
  /** How many of the conversations were changed in the last ten minutes, spread evenly over all ages. */
  readonly changed: number;
}

/**
 * Conversations by SQL, one a minute back from now, with an entry in the audit log for each that was changed. Triggers do
 * not run, so that millions of rows take a minute: what they keep is written here.
 */
export async function fillConversations(
  pool: DatabasePool,
  { workspaceId, conversations, messages, changed }: Filling,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set session_replication_role to replica');
    const each = Math.max(1, Math.floor(conversations / Math.max(1, changed)));
    await client.query(conversationRows, [workspaceId, conversations, messages, each]);
    await client.query(messageRows, [workspaceId]);
    await client.query(auditRows, [workspaceId]);
  } finally {
    await client.query('set session_replication_role to default');
    client.release();
  }
}

const conversationRows = `
  insert into conversation (id, workspace_id, channel, started_at, last_message_at, updated_at, message_count)
  select 'conv_' || md5($1 || number), $1, 'api', said_at - interval '5 minutes', said_at,
         case when number % $4::int = 0 then now() - random() * interval '10 minutes' else said_at end, $3::int
  from generate_series(1, $2::int) as number, lateral (select now() - number * interval '1 minute' as said_at) as said`;

const messageRows = `
  insert into message (id, conversation_id, workspace_id, position, role, content, created_at, terms)
  select 'msg_' || md5(id || position), id, workspace_id, position,
         case when position % 2 = 0 then 'user' else 'assistant' end, 'Message ' || position,
         last_message_at - (message_count - 1 - position) * interval '10 seconds', '{}'
  from conversation, generate_series(0, message_count - 1) as position
  where workspace_id = $1`;

const auditRows = `
  insert into audit_entry (id, workspace_id, conversation_id, action, actor, at)
  select 'evt_' || md5(id), workspace_id, id, 'tags_changed', 'fill', updated_at from conversation
  where workspace_id = $1 and updated_at > last_message_at`;
