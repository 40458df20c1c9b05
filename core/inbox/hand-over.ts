import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { auditWorkspace } from '../conversations/audit-log.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** A person who answers in a workspace. */
export interface InboxAgent {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Whether conversations are assigned to them. */
  readonly available: boolean;
  readonly changedAt: Date | null;
  /** Conversations that they have and that are not resolved. */
  readonly open: number;
}

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
  readonly open: number;
}

/** Returns the people who may reply in a workspace, by name. */
export async function listAgents(
  database: Kysely<Tables>,
  { workspaceId, ownerId }: AgentScope,
): Promise<readonly InboxAgent[]> {
  const { rows } = await sql<AgentRow>`
    select person.id, person.name, person.email, coalesce(inbox_agent.available, false) as available,
           inbox_agent.changed_at,
           (select count(*)::int from conversation
            where assignee_id = person.id and workspace_id = ${workspaceId}
              and status in ('open', 'claimed', 'escalated')) as open
    from membership
    join person on person.id = membership.person_id
    left join inbox_agent on inbox_agent.person_id = person.id and inbox_agent.workspace_id = ${workspaceId}
    where membership.owner_id = ${ownerId} and membership.role in ('owner', 'agent')
      and (membership.workspace_ids is null or ${workspaceId} = any (membership.workspace_ids))
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
    const known = await transaction
      .selectFrom('inbox_agent')
      .select('available')
      .where('workspace_id', '=', workspaceId)
      .where('person_id', '=', personId)
      .forUpdate()
      .executeTakeFirst();
    if ((known?.available ?? false) === available) return;
    await transaction
      .insertInto('inbox_agent')
      .values({ workspace_id: workspaceId, person_id: personId, available, changed_at: at })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'person_id']).doUpdateSet({ available, changed_at: at }),
      )
      .execute();
    const details = { person_id: personId, available };
    await auditWorkspace(transaction, {
      workspaceId,
      actor: name,
      at,
      action: 'availability_changed',
      details,
    });
  });
}
