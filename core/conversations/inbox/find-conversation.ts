import type { Kysely, Selectable } from 'kysely';
import { AppError } from '../../errors.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import {
  planNames,
  plans,
  type SlaPolicy,
  workspaceSettingsSchema,
} from '../../workspaces/workspace-settings.ts';

/** Who reads and changes conversations. */
export interface InboxUser {
  /** Every workspace of this owner is in reach. */
  readonly ownerId: string;
  /** Under which changes are told. */
  readonly name: string;
}

const openPlans = planNames.filter((name) => plans[name].apiAccess);

/** The conversations that a key may reach, each beside its workspace: no others exist, as far as its holder can tell. */
function selectReachableConversations(database: Kysely<Tables>, { ownerId }: InboxUser) {
  return database
    .selectFrom('conversation')
    .innerJoin('workspace', 'workspace.id', 'conversation.workspace_id')
    .where('workspace.owner_id', '=', ownerId)
    .where('workspace.deleted_at', 'is', null)
    .where('workspace.plan', 'in', openPlans);
}

interface FoundConversation {
  readonly row: Selectable<Tables['conversation']>;
  /** Of its workspace. */
  readonly policy: SlaPolicy | undefined;
}

interface FindConversationRequest {
  readonly user: InboxUser;
  readonly id: string;
  /** Whether it stays as it is until the transaction ends, which `database` then is. */
  readonly lock: boolean;
}

/** Throws `conversation_not_found`, also for one of another owner: who may not reach it does not learn that it exists. */
export async function findConversation(
  database: Kysely<Tables>,
  { user, id, lock }: FindConversationRequest,
): Promise<FoundConversation> {
  const query = selectReachableConversations(database, user)
    .selectAll('conversation')
    .select('workspace.settings')
    .where('conversation.id', '=', id);
  const found = await (lock ? query.forUpdate('conversation') : query).executeTakeFirst();
  if (found === undefined) throw new AppError('conversation_not_found');
  const { settings, ...row } = found;
  return { row, policy: workspaceSettingsSchema.parse(settings).sla };
}
