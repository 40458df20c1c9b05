import { extractSearchTerms } from '../../../../core/conversations/messages/messages.ts';
import type { DatabasePool } from '../../../../core/storage/database.ts';

interface Filling {
  readonly workspaceId: string;
  readonly conversations: number;
  /** The number of messages of each conversation, half of them the visitor's. */
  readonly messages: number;
  /** Ids of those who answer. */
  readonly people: readonly string[];
}

/**
 * An inbox by SQL, one conversation a minute back from now: seven of ten are resolved, most others are with the engine, and
 * one in twenty concerns people. Triggers do not run: what they keep is written here.
 */
export async function fillInbox(
  pool: DatabasePool,
  { workspaceId, conversations, messages, people }: Filling,
): Promise<void> {
  const words = (text: string) => [...extractSearchTerms(workspaceId, text)];
  const client = await pool.connect();
  try {
    await client.query('set session_replication_role to replica');
    await client.query(conversationRows, [workspaceId, conversations, messages, people]);
    await client.query(customerRows, [workspaceId]);
    await client.query(messageRows, [workspaceId, words('parcel'), words('kiln')]);
    await client.query(seenRows, [workspaceId, people]);
  } finally {
    await client.query('set session_replication_role to default');
    client.release();
  }
}

const conversationRows = `
  insert into conversation (id, workspace_id, channel, session_id, started_at, last_message_at, updated_at,
                            message_count, visitor_position, status, resolved_at, handover_since, unanswered_since, assignee_id,
                            assigned_at, snooze_until, customer_name, customer_email, tags, priority)
  select 'conv_' || md5($1 || number), $1, (array['widget', 'whatsapp', 'telegram', 'email', 'api'])[number % 5 + 1],
         'chan_x:' || number, said_at - interval '5 minutes', said_at, said_at, $3::int, $3::int - 2, status,
         case when status = 'resolved' then said_at end,
         case when status in ('claimed', 'escalated') then said_at - interval '3 minutes' end,
         case when status = 'escalated' or status = 'claimed' and number % 3 = 0 then said_at - interval '3 minutes' end,
         case when status in ('claimed', 'snoozed', 'resolved') and number % 4 <> 0
              then ($4::text[])[number % array_length($4::text[], 1) + 1] end,
         said_at, case when status = 'snoozed' then now() + interval '1 day' end,
         'Customer ' || number, 'customer' || number % 9000 || '@shop.example',
         case when number % 7 = 0 then '{returns}' when number % 501 = 0 then '{vip,returns}' else '{}' end::text[],
         case when number % 40 = 0 then 'high' else 'normal' end
  from generate_series(1, $2::int) as number,
       lateral (select now() - number * interval '1 minute' as said_at) as said,
       lateral (select case when number % 20 < 14 then 'resolved'
                            when number % 100 = 99 then 'escalated'
                            when number % 40 = 38 then 'claimed'
                            when number % 100 = 97 then 'snoozed' else 'open' end as status) as state`;

const customerRows = `
  insert into customer_search (conversation_id, parts)
  select id, customer_parts(workspace_id, concat_ws(' ', customer_name, customer_email, customer_phone))
  from conversation where workspace_id = $1`;

const messageRows = `
  insert into message (id, conversation_id, workspace_id, position, role, content, created_at, confidence, terms)
  select 'msg_' || md5(id || position), id, workspace_id, position,
         case when position % 2 = 0 then 'user' else 'assistant' end,
         'Message ' || position || ' about a parcel that has not arrived, with a few more words to be as long as usual.',
         last_message_at - (message_count - 1 - position) * interval '10 seconds',
         case when position % 2 = 1 then (array['high', 'high', 'medium', 'low'])[abs(hashtext(id)) % 4 + 1] end,
         case when abs(hashtext(id)) % 1000 = 0 then $3::int[] when position = 0 then $2::int[] else '{}' end
  from conversation, generate_series(0, message_count - 1) as position
  where workspace_id = $1`;

const seenRows = `
  insert into conversation_seen (person_id, conversation_id, position, seen_at)
  select person, id, case when abs(hashtext(id)) % 10 = 0 then 3 else message_count - 1 end, last_message_at
  from conversation, unnest($2::text[]) as person
  where workspace_id = $1 and abs(hashtext(id || person)) % 3 > 0`;
