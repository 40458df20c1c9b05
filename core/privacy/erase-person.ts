import { type Kysely, sql, type Transaction } from 'kysely';
import { writeAuditEntries } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { newIdInOrder } from '../base/ids.ts';
import type { Actor } from '../contract/actor.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { notifySessionsEnded } from '../visitors/visitors.ts';
import { digitsOf, findPersonRecords, type PersonKey } from './person.ts';

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

interface Request {
  readonly workspaceId: string;
  readonly key: PersonKey;
}

/** The result of an erasure: counts only, no data of the person. */
interface ErasureReceipt {
  readonly id: string;
  readonly erasedAt: Date;
  readonly counts: ErasureCounts;
}

interface ErasureCounts {
  readonly conversations: number;
  readonly messages: number;
  readonly notes: number;
  readonly visitors: number;
  readonly sessions: number;
  readonly files: number;
  readonly replays: number;
  readonly deliveries: number;
  readonly threads: number;
}

const batchSize = 50;

/**
 * Erases everything a workspace stores about one person, and writes a receipt without personal data to the audit log.
 * Conversations are erased in batches of 50, each in its own transaction: if the process crashes in between, the next
 * call erases the rest. Phone numbers that opted out stay on the channel's opt-out list.
 */
export async function erasePerson(
  { database, clock }: Stores,
  { workspaceId, key, actor }: Request & { readonly actor: Actor },
): Promise<ErasureReceipt> {
  const none = { conversations: 0, messages: 0, notes: 0, visitors: 0, sessions: 0, files: 0 };
  const counts = { ...none, replays: 0, deliveries: 0, threads: 0 };
  const add: Add = (name, rows) => {
    counts[name] += Number(rows);
  };
  const before = await findPersonRecords(database, { workspaceId, key });
  for (let start = 0; start < before.conversations.length; start += batchSize) {
    const ids = before.conversations.slice(start, start + batchSize);
    await database
      .transaction()
      .execute((transaction) =>
        eraseConversations(transaction, { workspaceId, ids, actor, at: clock.now(), add }),
      );
  }
  return database.transaction().execute(async (transaction) => {
    const { visitors } = await findPersonRecords(transaction, { workspaceId, key });
    const ids = [...new Set([...before.visitors, ...visitors])];
    await eraseVisitors(transaction, { workspaceId, ids, add });
    add('threads', await eraseAddressedLanes(transaction, workspaceId, key));
    const at = clock.now();
    const id = newIdInOrder('evt');
    await writeAuditEntries(transaction, { id: null, workspaceId, actor, at }, [
      { id, action: 'person_erased', details: { looked_up_by: key.field, ...counts } },
    ]);
    return { id, erasedAt: at, counts };
  });
}

type Add = (name: keyof ErasureCounts, rows: bigint) => void;

interface ConversationBatch {
  readonly workspaceId: string;
  readonly ids: readonly string[];
  readonly actor: Actor;
  readonly at: Date;
  readonly add: Add;
}

async function eraseConversations(
  transaction: Transaction<Tables>,
  { workspaceId, ids, actor, at, add }: ConversationBatch,
): Promise<void> {
  const rows = await transaction
    .selectFrom('conversation')
    .select(['id', 'status', 'message_count'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', [...ids])
    .forUpdate()
    .execute();
  const locked = rows.map(({ id }) => id);
  if (locked.length === 0) return;
  const countOf = (
    table: 'message' | 'note' | 'webhook_delivery' | 'idempotent_request' | 'visitor_file' | 'agent_file',
  ) =>
    transaction
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('conversation_id', 'in', locked)
      .executeTakeFirstOrThrow()
      .then(({ count }) => BigInt(count));
  add('messages', await countOf('message'));
  add('notes', await countOf('note'));
  add('deliveries', await countOf('webhook_delivery'));
  add('replays', await countOf('idempotent_request'));
  add('files', await countOf('visitor_file'));
  add('files', await countOf('agent_file'));
  const lanes = await lanesOf(transaction, locked);
  const deleted = await transaction.deleteFrom('conversation').where('id', 'in', locked).executeTakeFirst();
  add('conversations', deleted.numDeletedRows);
  add('threads', await eraseLanes(transaction, lanes));
  for (const { id, status, message_count } of rows) {
    await writeAuditEntries(transaction, { id, workspaceId, actor, at }, [
      { action: 'deleted', details: { status, message_count } },
    ]);
  }
}

interface VisitorBatch {
  readonly workspaceId: string;
  readonly ids: readonly string[];
  readonly add: Add;
}

/** Deletes visitors with their sessions and files. */
async function eraseVisitors(
  transaction: Transaction<Tables>,
  { workspaceId, ids, add }: VisitorBatch,
): Promise<void> {
  if (ids.length === 0) return;
  const sessions = await transaction
    .deleteFrom('visitor_session')
    .where('visitor_id', 'in', [...ids])
    .where(sql<boolean>`exists (select from visitor where id = visitor_id and workspace_id = ${workspaceId})`)
    .executeTakeFirst();
  add('sessions', sessions.numDeletedRows);
  const files = await transaction
    .deleteFrom('visitor_file')
    .where('workspace_id', '=', workspaceId)
    .where('visitor_id', 'in', [...ids])
    .executeTakeFirst();
  add('files', files.numDeletedRows);
  const visitors = await transaction
    .deleteFrom('visitor')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', [...ids])
    .executeTakeFirst();
  add('visitors', visitors.numDeletedRows);
  for (const id of ids) await notifySessionsEnded(transaction, id);
}

interface Lane {
  readonly channel_id: string;
  readonly lane: string;
}

function lanesOf(transaction: Transaction<Tables>, conversations: readonly string[]): Promise<Lane[]> {
  return transaction
    .selectFrom('lane')
    .select(['channel_id', 'lane'])
    .where('conversation_id', 'in', [...conversations])
    .execute();
}

/** Erases lanes whose conversation is already deleted, before by the e-mail address or phone number they contain. */
async function eraseAddressedLanes(
  transaction: Transaction<Tables>,
  workspaceId: string,
  { field, value }: PersonKey,
): Promise<bigint> {
  if (field === 'user_id') return 0n;
  const isTheirs =
    field === 'email'
      ? sql<boolean>`lower(sender) = lower(${value})`
      : sql<boolean>`address is not null and exists (
          select from jsonb_each_text(case when jsonb_typeof(address) = 'object' then address else '{}' end) part
          where length(${digitsOf(value)}::text) >= 5
            and regexp_replace(part.value, '[^0-9]', '', 'g') = ${digitsOf(value)}
        )`;
  const lanes = await transaction
    .selectFrom('lane')
    .select(['channel_id', 'lane'])
    .where('workspace_id', '=', workspaceId)
    .where(isTheirs)
    .execute();
  return eraseLanes(transaction, lanes);
}

/**
 * Deletes lanes and the values that channels remember for them. A lane with a waiting message, or one that a worker
 * holds, stays: its message is newer than the request to erase. A lane that opted out stays, so that no message is sent
 * to it.
 */
async function eraseLanes(transaction: Transaction<Tables>, lanes: readonly Lane[]): Promise<bigint> {
  let erased = 0n;
  for (const { channel_id, lane } of lanes) {
    await transaction
      .deleteFrom('channel_memory')
      .where('channel_id', '=', channel_id)
      .where(sql<boolean>`(key = ${`lane:${lane}`} or value ->> 'lane' = ${lane})`)
      .execute();
    const { numDeletedRows } = await transaction
      .deleteFrom('lane')
      .where('channel_id', '=', channel_id)
      .where('lane', '=', lane)
      .where('opted_out', '=', false)
      .where('holder', 'is', null)
      .where(
        sql<boolean>`not exists (
          select from inbound_event
          where inbound_event.channel_id = lane.channel_id and inbound_event.lane = lane.lane and handled_at is null
        )`,
      )
      .executeTakeFirst();
    erased += numDeletedRows;
  }
  return erased;
}
