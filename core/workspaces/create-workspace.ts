import type { Selectable, Transaction } from 'kysely';
import { auditWorkspace } from '../audit/audit-log.ts';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Actor } from '../contract/actor.ts';
import { newPublicToken } from '../secrets/secret-rotation.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { assertRetentionAllowed } from './plan-limits.ts';
import { type PlanName, planSchema, type WorkspaceSettings } from './workspace-settings.ts';

export interface NewWorkspace {
  readonly name: string;
  readonly plan?: PlanName | undefined;
  /** Id of an existing or new owner. A new owner is created if absent. */
  readonly owner?: string | undefined;
  readonly settings?: WorkspaceSettings | undefined;
}

interface Creation extends NewWorkspace {
  readonly id: string;
  /** The identity secret, sealed. */
  readonly sealedSecret: string;
  readonly actor: Actor;
  readonly at: Date;
}

/**
 * Creates a workspace, and its owner if it is new. Without a plan it has that of the owner's newest workspace, or `starter`.
 * Throws `invalid_settings`, and `feature_not_in_plan` for a second workspace on the plan `free`.
 */
export async function createWorkspace(
  transaction: Transaction<Tables>,
  { id, name, owner: givenOwner, settings = {}, sealedSecret, actor, at, ...wanted }: Creation,
): Promise<Selectable<Tables['workspace']>> {
  const owner = givenOwner ?? newId('own');
  await transaction
    .insertInto('owner')
    .values({ id: owner, created_at: at })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const others = givenOwner === undefined ? [] : await plansOf(transaction, givenOwner);
  const plan = wanted.plan ?? others[0] ?? 'starter';
  if (others.length > 0 && [plan, ...others].includes('free')) {
    throw new AppError('feature_not_in_plan', {
      detail: 'The plan free includes one workspace. Upgrade the existing workspace to Starter or higher.',
    });
  }
  assertRetentionAllowed(settings.retention_days, plan);
  const row = await transaction
    .insertInto('workspace')
    .values({
      id,
      owner_id: owner,
      name,
      plan,
      settings: JSON.stringify(settings),
      identity_secret_encrypted: sealedSecret,
      public_token: newPublicToken(),
      created_at: at,
      deleted_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  // The log of a workspace is about people. Others create workspaces with the operator's token.
  if (actor.id !== null) {
    await auditWorkspace(transaction, {
      ...{ workspaceId: id, actor, at },
      ...{ action: 'workspace_created', details: { name } },
    });
  }
  return row;
}

/** The plans of the owner's workspaces, newest first. The owner is locked: its workspaces are created one after the other. */
async function plansOf(transaction: Transaction<Tables>, owner: string): Promise<readonly PlanName[]> {
  await transaction.selectFrom('owner').select('id').where('id', '=', owner).forUpdate().execute();
  const rows = await transaction
    .selectFrom('workspace')
    .select('plan')
    .where('owner_id', '=', owner)
    .where('deleted_at', 'is', null)
    .where('staging_for', 'is', null)
    .orderBy('created_at', 'desc')
    .execute();
  return rows.map(({ plan }) => planSchema.parse(plan));
}
