import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { planNames, plans } from '../workspaces/plan.ts';
import type { InboxUser } from './inbox-user.ts';

const openPlans = planNames.filter((name) => plans[name].apiAccess);

/** The conversations that a key may reach, each beside its workspace: no others exist, as far as its holder can tell. */
export function reachableConversations(database: Kysely<Tables>, { ownerId }: InboxUser) {
  return database
    .selectFrom('conversation')
    .innerJoin('workspace', 'workspace.id', 'conversation.workspace_id')
    .where('workspace.owner_id', '=', ownerId)
    .where('workspace.deleted_at', 'is', null)
    .where('workspace.plan', 'in', openPlans);
}
