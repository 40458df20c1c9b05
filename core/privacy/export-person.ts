import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { type ConversationView, loadConversationView } from '../conversations/inbox/conversation-record.ts';
import type { InboxUser } from '../conversations/inbox/find-conversation.ts';
import { findConversation } from '../conversations/inbox/find-conversation.ts';
import { anyOf } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { findPersonRecords, type PersonKey } from './person.ts';

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

interface Request {
  readonly workspaceId: string;
  readonly user: InboxUser;
  readonly key: PersonKey;
}

type Visitor = Pick<
  Selectable<Tables['visitor']>,
  'id' | 'channel_id' | 'user_id' | 'name' | 'email' | 'audience' | 'created_at'
>;
type File = Pick<
  Selectable<Tables['visitor_file']>,
  'id' | 'visitor_id' | 'conversation_id' | 'name' | 'content_type' | 'size' | 'created_at'
>;
type Delivery = Pick<
  Selectable<Tables['webhook_delivery']>,
  'id' | 'webhook_id' | 'conversation_id' | 'event' | 'data' | 'status' | 'created_at'
>;
type Replay = Pick<
  Selectable<Tables['idempotent_request']>,
  'key_id' | 'idempotency_key' | 'conversation_id' | 'body' | 'created_at'
>;

/** Everything a workspace stores about one person. */
export interface PersonExport {
  readonly exportedAt: Date;
  readonly conversations: readonly ConversationView[];
  readonly visitors: readonly Visitor[];
  /** Files that visitors of widgets and hosted pages sent. Their bytes are read as attachments of the messages. */
  readonly files: readonly File[];
  readonly deliveries: readonly Delivery[];
  /** Stored responses of requests with an idempotency key. */
  readonly replays: readonly Replay[];
}

/** Reads all data of a person in one snapshot. The lists are empty if the workspace stores nothing about the person. */
export function exportPerson(
  { database, clock }: Stores,
  { workspaceId, user, key }: Request,
): Promise<PersonExport> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      const records = await findPersonRecords(transaction, { workspaceId, key });
      const now = clock.now();
      const conversations: ConversationView[] = [];
      for (const id of records.conversations) {
        const { row, policy } = await findConversation(transaction, { user, id, lock: false });
        conversations.push(await loadConversationView(transaction, row, { policy, now }));
      }
      return { exportedAt: now, conversations, ...(await rowsOf(transaction, workspaceId, records)) };
    });
}

async function rowsOf(
  database: Kysely<Tables>,
  workspaceId: string,
  { conversations, visitors }: Awaited<ReturnType<typeof findPersonRecords>>,
) {
  return {
    visitors: await database
      .selectFrom('visitor')
      .select(['id', 'channel_id', 'user_id', 'name', 'email', 'audience', 'created_at'])
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', anyOf(visitors))
      .orderBy('created_at')
      .execute(),
    files: await database
      .selectFrom('visitor_file')
      .select(['id', 'visitor_id', 'conversation_id', 'name', 'content_type', 'size', 'created_at'])
      .where('workspace_id', '=', workspaceId)
      .where('visitor_id', '=', anyOf(visitors))
      .orderBy('created_at')
      .execute(),
    deliveries: await database
      .selectFrom('webhook_delivery')
      .select(['id', 'webhook_id', 'conversation_id', 'event', 'data', 'status', 'created_at'])
      .where('workspace_id', '=', workspaceId)
      .where('conversation_id', '=', anyOf(conversations))
      .orderBy('id')
      .execute(),
    replays: await database
      .selectFrom('idempotent_request')
      .select(['key_id', 'idempotency_key', 'conversation_id', 'body', 'created_at'])
      .where('conversation_id', '=', anyOf(conversations))
      .orderBy('created_at')
      .execute(),
  };
}
