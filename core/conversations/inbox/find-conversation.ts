import type { Kysely, Selectable } from 'kysely';
import { AppError } from '../../base/errors.ts';
import type { Actor } from '../../contract/actor.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import {
  planNames,
  plans,
  type SlaPolicy,
  workspaceSettingsSchema,
} from '../../workspaces/workspace-settings.ts';

/** The caller who reads and changes conversations. */
export interface InboxUser {
  /** The caller can access every workspace of this owner, unless `workspaceId` is given. */
  readonly ownerId: string;
  /** The only workspace that the caller can access. */
  readonly workspaceId?: string | undefined;
  /** Whether the caller reaches the conversations of test keys, and no others. */
  readonly isTest?: boolean;
  /** The name of the API key or the person. */
  readonly name: string;
  /** Null or absent for an API key and the operator's token. */
  readonly personId?: string | null;
}

/** Returns the caller as the audit log names them. */
export function toActor({ name, personId = null }: Pick<InboxUser, 'name' | 'personId'>): Actor {
  return { id: personId, name };
}

const openPlans = planNames.filter((name) => plans[name].apiAccess);

/** Selects the conversations that a key may access, joined with their workspaces. All others appear not to exist. */
function selectReachableConversations(
  database: Kysely<Tables>,
  { ownerId, workspaceId, isTest = false }: InboxUser,
) {
  const query = database
    .selectFrom('conversation')
    .innerJoin('workspace', 'workspace.id', 'conversation.workspace_id')
    .where('workspace.owner_id', '=', ownerId)
    .where('workspace.deleted_at', 'is', null)
    .where('workspace.plan', 'in', openPlans);
  return workspaceId === undefined
    ? query.where('workspace.staging_for', isTest ? 'is not' : 'is', null)
    : query.where('workspace.id', '=', workspaceId);
}

interface FoundConversation {
  readonly row: Selectable<Tables['conversation']>;
  /** The SLA policy of the workspace. */
  readonly policy: SlaPolicy | undefined;
}

interface FindConversationRequest {
  readonly user: InboxUser;
  readonly id: string;
  /** Locks the row until the end of the transaction; `database` must then be a transaction. */
  readonly lock: boolean;
}

/** Throws `conversation_not_found`, also for another owner's conversation, so that its existence is not revealed. */
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
