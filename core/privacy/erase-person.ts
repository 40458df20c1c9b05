import type { Kysely, Transaction } from 'kysely';
import { auditDeletions, writeAuditEntries } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { newIdInOrder } from '../base/ids.ts';
import { eraseAddressedLanes, eraseLanes, findLanes } from '../channels/inbound/erase-lanes.ts';
import type { Actor } from '../contract/actor.ts';
import { deleteConversations } from '../conversations/purge-conversations.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { eraseVisitors } from '../visitors/purge-visitors.ts';
import { testWorkspaceId } from '../workspaces/test-workspace.ts';
import { findPersonRecords, type PersonKey } from './person.ts';

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
 * Erases everything a workspace stores about one person, tests included, and writes a receipt without personal data to the audit log.
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
  const tests = await findPersonRecords(database, { workspaceId: testWorkspaceId(workspaceId), key });
  for (const [place, { conversations }] of [
    [workspaceId, before],
    [testWorkspaceId(workspaceId), tests],
  ] as const) {
    for (let start = 0; start < conversations.length; start += batchSize) {
      const ids = conversations.slice(start, start + batchSize);
      const batch = { workspaceId: place, ids, actor, at: clock.now(), add };
      await database.transaction().execute((transaction) => eraseConversations(transaction, batch));
    }
  }
  return database.transaction().execute(async (transaction) => {
    const { visitors } = await findPersonRecords(transaction, { workspaceId, key });
    const ids = [...new Set([...before.visitors, ...visitors])];
    const erased = await eraseVisitors(transaction, { workspaceId, ids });
    add('sessions', erased.sessions);
    add('files', erased.files);
    add('visitors', erased.visitors);
    if (key.field !== 'user_id') add('threads', await eraseAddressedLanes(transaction, workspaceId, key));
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
    .select(['id', 'workspace_id', 'status', 'message_count'])
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
  const lanes = await findLanes(transaction, locked);
  add('conversations', await deleteConversations(transaction, locked));
  add('threads', await eraseLanes(transaction, lanes));
  await auditDeletions(transaction, rows, { actor, at });
}
