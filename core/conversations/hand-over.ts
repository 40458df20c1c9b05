import { type Kysely, sql, type Transaction } from 'kysely';
import { auditWorkspace, writeAuditEntries } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { namedActor } from '../contract/actor.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { findSupportState } from '../workspaces/support-hours.ts';
import { DEFAULT_CAPACITY, workspaceSettingsSchema } from '../workspaces/workspace-settings.ts';

/** A person who answers in a workspace. */
export interface InboxAgent {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Whether conversations are assigned to them. */
  readonly available: boolean;
  readonly changedAt: Date | null;
  /** Whether their dashboard is open: conversations are assigned to nobody else. */
  readonly present: boolean;
  /** Conversations that they have and that are not resolved. */
  readonly open: number;
}

/** A dashboard says that it is open every 30 seconds. One that was closed or sleeps gets no more conversations after this. */
export const ABSENT_AFTER_MS = 120_000;

interface AgentScope {
  readonly workspaceId: string;
  readonly ownerId: string;
}

interface AgentRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly available: boolean;
  readonly changed_at: Date | null;
  readonly present: boolean;
  readonly open: number;
}

/** Returns the ids of the people who may reply in a workspace. */
export async function listAgentIds(
  database: Kysely<Tables>,
  { workspaceId, ownerId }: AgentScope,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select person_id as id from membership where owner_id = ${ownerId} and ${mayReply(workspaceId)}
  `.execute(database);
  return new Set(rows.map(({ id }) => id));
}

/** Returns the people who may reply in a workspace, by name. */
export async function listAgents(
  { database, clock }: Stores,
  { workspaceId, ownerId }: AgentScope,
): Promise<readonly InboxAgent[]> {
  const { rows } = await sql<AgentRow>`
    select person.id, person.name, person.email, coalesce(inbox_agent.available, false) as available,
           inbox_agent.changed_at, coalesce(${isPresent(clock.now())}, false) as present,
           (select count(*)::int from conversation
            where assignee_id = person.id and workspace_id = ${workspaceId}
              and status in ('open', 'claimed', 'escalated')) as open
    from membership
    join person on person.id = membership.person_id
    left join inbox_agent on inbox_agent.person_id = person.id and inbox_agent.workspace_id = ${workspaceId}
    where membership.owner_id = ${ownerId} and ${mayReply(workspaceId)}
    order by lower(person.name), person.id
  `.execute(database);
  return rows.map(({ changed_at, ...agent }) => ({ ...agent, changedAt: changed_at }));
}

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

/** Switches whether conversations are assigned to a person. */
export async function setAvailability(
  { database, clock }: Stores,
  {
    workspaceId,
    personId,
    name,
  }: { readonly workspaceId: string; readonly personId: string; readonly name: string },
  available: boolean,
): Promise<void> {
  const at = clock.now();
  await database.transaction().execute(async (transaction) => {
    await lockAgents(transaction, workspaceId);
    const known = await transaction
      .updateTable('inbox_agent')
      .set({ seen_at: at })
      .where('workspace_id', '=', workspaceId)
      .where('person_id', '=', personId)
      .returning('available')
      .executeTakeFirst();
    if ((known?.available ?? false) === available) return;
    await transaction
      .insertInto('inbox_agent')
      .values({ workspace_id: workspaceId, person_id: personId, available, changed_at: at, seen_at: at })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'person_id']).doUpdateSet({ available, changed_at: at }),
      )
      .execute();
    const details = { person_id: personId, available };
    const entry = { action: 'availability_changed', details } as const;
    await auditWorkspace(transaction, { workspaceId, actor: { id: personId, name }, at, ...entry });
    if (available) await assignWaiting({ transaction, now: at, workspaceId });
  });
}

function isPresent(now: Date) {
  return sql<boolean>`(inbox_agent.available and inbox_agent.seen_at > ${new Date(now.getTime() - ABSENT_AFTER_MS)})`;
}

/** The actor of assignments by rule, in the audit log. */
const handoverActor = namedActor('handover');

interface Rules {
  readonly workspaceId: string;
  readonly ownerId: string;
  readonly assignment: 'round_robin' | 'least_busy' | 'none';
  readonly returnAfterMinutes: number | undefined;
  readonly capacity: number;
}

/**
 * Returns the rules of the workspaces that have some and whose support is open: nobody is assigned outside of its
 * hours.
 */
async function findRules(
  transaction: Transaction<Tables>,
  now: Date,
  workspaceId?: string,
): Promise<readonly Rules[]> {
  let query = transaction
    .selectFrom('workspace')
    .select(['id', 'owner_id', 'settings'])
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`settings ? 'handover'`);
  if (workspaceId !== undefined) query = query.where('id', '=', workspaceId);
  return (await query.execute()).flatMap(({ id, owner_id, settings }) => {
    const { handover, support_hours } = workspaceSettingsSchema.parse(settings);
    const support = findSupportState(support_hours, now);
    const isClosed = support_hours !== undefined && support?.isOpen !== true;
    if (handover === undefined || isClosed) return [];
    const { assignment = 'none', return_after_minutes: returnAfterMinutes } = handover;
    const { capacity = DEFAULT_CAPACITY } = handover;
    return [{ workspaceId: id, ownerId: owner_id, assignment, returnAfterMinutes, capacity }];
  });
}

interface Candidates {
  readonly rules: Rules;
  /** The people who had the conversation and did not answer. */
  readonly except: readonly string[];
  readonly now: Date;
}

/** Locks agents, always in the same order, so that two transactions never wait for each other. */
export async function lockAgents(transaction: Transaction<Tables>, workspaceId: string): Promise<void> {
  await sql`
    select from inbox_agent where workspace_id = ${workspaceId} order by person_id for update
  `.execute(transaction);
}

/**
 * Chooses the person who is next, and stores the turn: available, present, and with fewer conversations that wait for them than
 * their capacity. Null if there is none. The rows of the workspace's people are locked, so that two concurrent conversations
 * go to two people.
 */
async function takeNext(
  transaction: Transaction<Tables>,
  { rules: { workspaceId, ownerId, assignment, capacity }, except, now }: Candidates,
): Promise<string | null> {
  if (assignment === 'none') return null;
  await lockAgents(transaction, workspaceId);
  const has = sql`
    select count(*) from conversation
    where assignee_id = inbox_agent.person_id and workspace_id = ${workspaceId}
      and status in ('open', 'claimed', 'escalated')`;
  const load = sql`(${has})`;
  const waiting = sql`(${has} and unanswered_since is not null)`;
  const { rows } = await sql<{ id: string }>`
    update inbox_agent set last_assigned_at = ${now}
    where workspace_id = ${workspaceId} and person_id = (
      select inbox_agent.person_id from inbox_agent
      join membership on membership.person_id = inbox_agent.person_id
      where inbox_agent.workspace_id = ${workspaceId} and ${isPresent(now)}
        and inbox_agent.person_id <> all (${[...except]}::text[]) and ${waiting} < ${capacity}
        and membership.owner_id = ${ownerId} and ${mayReply(workspaceId)}
      order by ${assignment === 'least_busy' ? load : sql`null::bigint`}, last_assigned_at nulls first, inbox_agent.person_id
      limit 1
    )
    returning person_id as id
  `.execute(transaction);
  return rows[0]?.id ?? null;
}

function mayReply(workspaceId: string) {
  return sql`membership.role in ('owner', 'agent')
    and (membership.workspace_ids is null or ${workspaceId} = any (membership.workspace_ids))`;
}

interface Assignment {
  readonly workspaceId: string;
  readonly id: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly now: Date;
}

async function assign(
  transaction: Transaction<Tables>,
  { workspaceId, id, from, to, now }: Assignment,
): Promise<void> {
  await transaction
    .updateTable('conversation')
    .set({ assignee_id: to, assigned_at: to === null ? null : now, assigned_by: null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
  const target = { id, workspaceId, actor: handoverActor, at: now };
  await writeAuditEntries(transaction, target, [{ action: 'assignee_changed', details: { from, to } }]);
}

/** Assigns a conversation that was just handed over, in the transaction that does so. */
export async function assignHandedOver(
  transaction: Transaction<Tables>,
  { workspaceId, id, now }: { readonly workspaceId: string; readonly id: string; readonly now: Date },
): Promise<void> {
  const [rules] = await findRules(transaction, now, workspaceId);
  if (rules === undefined) return;
  const to = await takeNext(transaction, { rules, except: [], now });
  if (to !== null) await assign(transaction, { workspaceId, id, from: null, to, now });
}

interface Round {
  readonly transaction: Transaction<Tables>;
  readonly now: Date;
  /** Absent: all workspaces. */
  readonly workspaceId?: string;
}

/** The limit is low, so that a round is short. */
const roundRows = 200;

/**
 * Assigns waiting conversations to the people who are free, the longest wait first. A person gets a conversation once:
 * when all of them have let it return, it stays in the queue. Returns the largest number of assignments in one workspace.
 */
export async function assignWaiting({ transaction, now, workspaceId: only }: Round): Promise<number> {
  let most = 0;
  for (const rules of await findRules(transaction, now, only)) {
    if (rules.assignment === 'none') continue;
    const { workspaceId } = rules;
    const { rows } = await sql<{ id: string; returned_by: string[] }>`
      select id, ${returnedBy(workspaceId)} as returned_by
      from conversation
      where workspace_id = ${workspaceId} and handover_since is not null and unanswered_since is not null
        and assignee_id is null
      order by unanswered_since, id limit ${roundRows}
      for update skip locked
    `.execute(transaction);
    let assigned = 0;
    for (const { id, returned_by: except } of rows) {
      const to = await takeNext(transaction, { rules, except, now });
      if (to === null) continue;
      await assign(transaction, { workspaceId, id, from: null, to, now });
      assigned += 1;
    }
    most = Math.max(most, assigned);
  }
  return most;
}

/** The people who had `conversation` since it was handed over, and from whom the rules took it back. */
function returnedBy(workspaceId: string) {
  return sql`array(
    select distinct details ->> 'from' from audit_entry
    where audit_entry.workspace_id = ${workspaceId} and conversation_id = conversation.id
      and action = 'assignee_changed' and actor = ${handoverActor.name}
      and at >= handover_since and details ->> 'from' is not null
  )`;
}

/**
 * Returns conversations to the queue, or to the next person, if the assignee has not answered in time or may no longer
 * reply. Returns the number of conversations.
 */
export async function returnUnanswered({ transaction, now, workspaceId: only }: Round): Promise<number> {
  let most = 0;
  for (const rules of await findRules(transaction, now, only)) {
    const { workspaceId, ownerId, returnAfterMinutes } = rules;
    const before =
      returnAfterMinutes === undefined ? null : new Date(now.getTime() - returnAfterMinutes * 60_000);
    const { rows } = await sql<{ id: string; assignee_id: string; returned_by: string[] }>`
      select id, assignee_id, ${returnedBy(workspaceId)} as returned_by from conversation
      where workspace_id = ${workspaceId} and handover_since is not null and unanswered_since is not null
        and assignee_id is not null
        and (
          unanswered_since <= ${before}::timestamptz and assigned_at <= ${before}::timestamptz
          or not exists (
            select from membership
            where person_id = assignee_id and membership.owner_id = ${ownerId} and ${mayReply(workspaceId)}
          )
        )
      order by unanswered_since, id limit ${roundRows}
      for update skip locked
    `.execute(transaction);
    for (const { id, assignee_id: from, returned_by: before } of rows) {
      const to = await takeNext(transaction, { rules, except: [...before, from], now });
      await assign(transaction, { workspaceId, id, from, to, now });
    }
    most = Math.max(most, rows.length);
  }
  return most;
}
