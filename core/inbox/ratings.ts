import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import { writeAuditEntries } from '../conversations/audit-log.ts';
import { AppError } from '../errors.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Visitor } from '../visitors/visitor.ts';
import { eventTransaction, type ScheduleDeliveries } from '../webhooks/event-transaction.ts';

interface Resolution {
  readonly workspaceId: string;
  readonly conversationId: string;
  /** The person who resolved the conversation. */
  readonly personId: string | null;
  readonly now: Date;
}

/**
 * Asks the visitor for a rating, in the transaction that resolves the conversation: only where a person has replied, the
 * widget or page can ask, and the workspace wants it. A new resolution asks again.
 */
export async function askForRating(
  transaction: Transaction<Tables>,
  { workspaceId, conversationId, personId, now }: Resolution,
): Promise<void> {
  await sql`
    insert into conversation_rating (conversation_id, workspace_id, person_id, asked_at)
    select conversation.id, workspace_id, ${personId}, ${now} from conversation
    join workspace on workspace.id = workspace_id
    where conversation.id = ${conversationId} and workspace_id = ${workspaceId}
      and channel in ('widget', 'hosted') and coalesce(workspace.settings ->> 'ask_for_rating', 'true') = 'true'
      and exists (select from message where message.conversation_id = conversation.id and role = 'agent')
    on conflict (conversation_id) do update
    set person_id = excluded.person_id, asked_at = excluded.asked_at, score = null, comment = null, rated_at = null
  `.execute(transaction);
}

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly scheduleDeliveries?: ScheduleDeliveries;
}

/**
 * Stores the visitor's rating of their latest conversation; the last one counts. Webhooks receive `conversation.rated`.
 * Throws `rating_not_asked`.
 */
export async function rateConversation(
  stores: Stores,
  { id: visitorId, workspaceId }: Visitor,
  { score, comment }: { readonly score: number; readonly comment: string | null },
): Promise<void> {
  const now = stores.clock.now();
  await eventTransaction(stores, async (transaction) => {
    const { rows } = await sql<{ conversation_id: string }>`
      update conversation_rating set score = ${score}, comment = ${comment}, rated_at = ${now}
      where conversation_id = (
        select id from conversation
        where session_id = ${visitorId} and workspace_id = ${workspaceId} and channel in ('widget', 'hosted')
        order by last_message_at desc limit 1
      )
      returning conversation_id
    `.execute(transaction);
    const id = rows[0]?.conversation_id;
    if (id === undefined) throw new AppError('rating_not_asked');
    const target = { id, workspaceId, actor: 'visitor', at: now };
    await writeAuditEntries(transaction, target, [{ action: 'rated', details: { score } }]);
  });
}
