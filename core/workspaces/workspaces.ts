import type { ExpressionBuilder, Kysely, Selectable, Transaction } from 'kysely';
import { auditWorkspace } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Page, PageRequest } from '../base/pagination.ts';
import { type Actor, operatorActor } from '../contract/actor.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import {
  noteRotation,
  openSecrets,
  type Rotated,
  type Rotation,
  rotateSealed,
  rotateToken,
  runningGrace,
} from '../secrets/secret-rotation.ts';
import { keysetPage } from '../storage/keyset-page.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type UsedCorrection, usedCorrectionSchema } from './correction.ts';
import { createWorkspace, type NewWorkspace } from './create-workspace.ts';
import { identityColumns, identityPlace, newIdentitySecret } from './identity-secret.ts';
import { assertDowngradeAllowed, assertRetentionAllowed } from './plan-limits.ts';
import { changedFields, mergeSettings, type SettingsChange } from './settings-change.ts';
import { closeStagings, insertHiddenWorkspace, type NewHiddenWorkspace } from './staging.ts';
import { TEST_SETTINGS, testWorkspaceId } from './test-workspace.ts';
import {
  type PlanName,
  planSchema,
  type WorkspaceSettings,
  workspaceSettingsSchema,
} from './workspace-settings.ts';

/** The setting of the installation with the id of its demo workspace. */
export const DEMO_WORKSPACE_SETTING = 'demo_workspace';

export interface Workspace {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly plan: PlanName;
  readonly settings: WorkspaceSettings;
  readonly publicToken: string;
  /** True if the workspace has enabled HTTP skills of its own. */
  readonly hasOwnSkills: boolean;
  /** The correction of probabilities in use; null means none. */
  readonly correction: UsedCorrection | null;
  readonly createdAt: Date;
}

interface WorkspaceChange {
  readonly name?: string | undefined;
  readonly plan?: PlanName | undefined;
  readonly settings?: SettingsChange | undefined;
}

interface VisibleWorkspaces {
  readonly ownerId: string;
  /** Null: all workspaces of the owner. */
  readonly workspaceIds: readonly string[] | null;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
}

/** Manages workspaces and their owners. */
export class Workspaces {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Creates a workspace. The identity secret is only returned here. Throws `invalid_settings` and `feature_not_in_plan`.
   */
  async create(
    newWorkspace: NewWorkspace,
    actor = operatorActor,
  ): Promise<{ workspace: Workspace; identitySecret: string }> {
    const { database, secretBox, clock } = this.#dependencies;
    const identitySecret = newIdentitySecret();
    const id = newId('ws');
    const sealedSecret = secretBox.seal(identitySecret, identityPlace(id));
    const creation = { ...newWorkspace, id, sealedSecret, actor, at: clock.now() };
    const row = await database.transaction().execute((transaction) => createWorkspace(transaction, creation));
    return { workspace: workspaceFromRow(row), identitySecret };
  }

  async find(id: string): Promise<Workspace | null> {
    const row = await this.#dependencies.database
      .selectFrom('workspace')
      .selectAll()
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .where('staging_for', 'is', null)
      .executeTakeFirst();
    return row === undefined ? null : workspaceFromRow(row);
  }

  /** Whether all of the workspaces exist and belong to the owner. */
  async areAllOf(ownerId: string, ids: readonly string[]): Promise<boolean> {
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return true;
    const found = await this.#dependencies.database
      .selectFrom('workspace')
      .select('id')
      .where('owner_id', '=', ownerId)
      .where('id', 'in', wanted)
      .where('deleted_at', 'is', null)
      .where('staging_for', 'is', null)
      .execute();
    return found.length === wanted.length;
  }

  /** Throws `workspace_not_found`. */
  async get(id: string): Promise<Workspace> {
    const workspace = await this.find(id);
    if (workspace === null) throw new AppError('workspace_not_found');
    return workspace;
  }

  /** Returns the workspaces of the owners, or of all if `visible` is null. */
  async list(
    page: PageRequest,
    visible: readonly VisibleWorkspaces[] | null = null,
  ): Promise<Page<Workspace>> {
    const query = this.#dependencies.database.selectFrom('workspace').selectAll().where(isVisible(visible));
    const { items, nextCursor } = await keysetPage(query, { list: 'workspaces', latest: 'created_at' }, page);
    return { items: items.map(workspaceFromRow), nextCursor };
  }

  /** Returns the names of all of these workspaces, newest first. */
  async listNames(
    visible: readonly VisibleWorkspaces[] | null,
  ): Promise<readonly Pick<Workspace, 'id' | 'name' | 'owner'>[]> {
    return this.#dependencies.database
      .selectFrom('workspace')
      .select(['id', 'name', 'owner_id as owner'])
      .where(isVisible(visible))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
  }

  /** Throws `workspace_not_found`, `plan_downgrade_blocked` and `invalid_settings`. */
  update(id: string, change: WorkspaceChange, actor = operatorActor): Promise<Workspace> {
    const { database } = this.#dependencies;
    return database
      .transaction()
      .execute((transaction) => this.updateWithin(transaction, id, { change, actor }));
  }

  /** The same within a transaction. */
  async updateWithin(
    transaction: Transaction<Tables>,
    id: string,
    { change, actor }: { readonly change: WorkspaceChange; readonly actor: Actor },
  ): Promise<Workspace> {
    const { clock } = this.#dependencies;
    const current = await this.lock(transaction, id);
    const plan = change.plan ?? current.plan;
    const { owner, plan: from } = current;
    await assertDowngradeAllowed(transaction, { owner, from, to: plan, at: clock.now() });
    assertRetentionAllowed(change.settings?.retention_days, plan);
    const settings = mergeSettings(current.settings, change.settings ?? {});
    const row = await transaction
      .updateTable('workspace')
      .set({
        name: change.name ?? current.name,
        plan,
        settings: JSON.stringify(settings),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const changed = workspaceFromRow(row);
    const fields = changedFields(current, changed);
    if (fields.length > 0) {
      const entry = { workspaceId: id, actor, at: clock.now() };
      await auditWorkspace(transaction, { ...entry, action: 'workspace_changed', details: { fields } });
    }
    return changed;
  }

  /** Locks a workspace until the end of the transaction. Throws `workspace_not_found`. */
  async lock(transaction: Transaction<Tables>, id: string): Promise<Workspace> {
    return workspaceFromRow(await lockRow(transaction, id));
  }

  /** Creates the hidden workspace that holds the staged documents of a change set of another one. Returns its id. */
  async openStaging(transaction: Transaction<Tables>, workspaceId: string): Promise<string> {
    const id = newId('ws');
    await this.#insertHidden(transaction, { id, workspaceId });
    return id;
  }

  /** Returns the id of the hidden workspace that keeps the conversations of test keys, and creates it for the first one. */
  async openTests(workspaceId: string): Promise<string> {
    const id = testWorkspaceId(workspaceId);
    await this.#insertHidden(this.#dependencies.database, { id, workspaceId, settings: TEST_SETTINGS });
    return id;
  }

  /** The identity secret of a hidden workspace is known to nobody. */
  #insertHidden(
    database: Kysely<Tables>,
    hidden: Pick<NewHiddenWorkspace, 'id' | 'workspaceId' | 'settings'>,
  ): Promise<void> {
    const { secretBox, clock } = this.#dependencies;
    const secret = secretBox.seal(newIdentitySecret(), identityPlace(hidden.id));
    return insertHiddenWorkspace(database, { ...hidden, secret, at: clock.now() });
  }

  /**
   * Marks a workspace as deleted. It stops answering at once, and its rows are removed in the background.
   * Throws `workspace_not_found`.
   */
  async delete(id: string, actor = operatorActor): Promise<void> {
    const { database, clock } = this.#dependencies;
    const at = clock.now();
    await database.transaction().execute(async (transaction) => {
      const deleted = await transaction
        .updateTable('workspace')
        .set({ deleted_at: at })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .where('staging_for', 'is', null)
        .executeTakeFirst();
      if (deleted.numUpdatedRows === 0n) throw new AppError('workspace_not_found');
      const entry = { workspaceId: id, actor, at };
      await auditWorkspace(transaction, { ...entry, action: 'workspace_deleted', details: {} });
      await closeStagings(transaction, { workspaceId: id, at });
    });
    await database
      .updateTable('document')
      .set({ status: 'deleted', revision: -1 })
      .where('workspace_id', '=', id)
      .execute();
  }

  /** Returns the end of the grace period of the previous identity secret, or null. Throws `workspace_not_found`. */
  async identityGrace(id: string): Promise<Date | null> {
    const { database, clock } = this.#dependencies;
    const row = await database
      .selectFrom('workspace')
      .select('previous_identity_secret_until')
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (row === undefined) throw new AppError('workspace_not_found');
    return runningGrace(row.previous_identity_secret_until, clock.now());
  }

  /**
   * Returns the valid identity secrets: the current one, and the previous one during its grace period. Throws
   * `workspace_not_found`.
   */
  async identitySecrets(id: string): Promise<readonly string[]> {
    const { database, secretBox, clock } = this.#dependencies;
    const row = await database
      .selectFrom('workspace')
      .select(identityColumns)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (row === undefined) throw new AppError('workspace_not_found');
    return openSecrets(secretBox, identityPlace(id), {
      current: row.identity_secret_encrypted,
      previous: row.previous_identity_secret_encrypted,
      previousUntil: row.previous_identity_secret_until,
      now: clock.now(),
    });
  }

  /**
   * Replaces the identity secret. Proofs made with either secret are valid until the grace period ends. Throws
   * `workspace_not_found`.
   */
  rotateIdentitySecret(id: string, { graceSeconds, actor }: Rotation): Promise<Rotated> {
    const { database, secretBox, clock } = this.#dependencies;
    return database.transaction().execute(async (transaction) => {
      const { identity_secret_encrypted: current } = await lockRow(transaction, id);
      const now = clock.now();
      const rotated = rotateSealed(secretBox, identityPlace(id), {
        current,
        secret: newIdentitySecret(),
        graceSeconds,
        now,
      });
      await transaction
        .updateTable('workspace')
        .set({
          identity_secret_encrypted: rotated.current,
          previous_identity_secret_encrypted: rotated.previous,
          previous_identity_secret_until: rotated.previousUntil,
        })
        .where('id', '=', id)
        .execute();
      const { previousValidUntil } = rotated;
      await noteRotation(transaction, {
        workspaceId: id,
        kind: 'identity_secret',
        at: now,
        actor,
        previousValidUntil,
      });
      return rotated;
    });
  }

  /**
   * Replaces the public token. Both tokens open the widget until the grace period ends. Throws
   * `workspace_not_found`.
   */
  rotatePublicToken(id: string, { graceSeconds, actor }: Rotation): Promise<Rotated> {
    const { database, clock } = this.#dependencies;
    return database.transaction().execute(async (transaction) => {
      const { public_token: current } = await lockRow(transaction, id);
      const now = clock.now();
      const { columns, ...rotated } = rotateToken(current, { graceSeconds, now });
      await transaction.updateTable('workspace').set(columns).where('id', '=', id).execute();
      const { previousValidUntil } = rotated;
      await noteRotation(transaction, {
        workspaceId: id,
        kind: 'public_token',
        at: now,
        actor,
        previousValidUntil,
      });
      return rotated;
    });
  }
}

function isVisible(visible: readonly VisibleWorkspaces[] | null) {
  return ({ eb, or, and }: ExpressionBuilder<Tables, 'workspace'>) => {
    const exists = and([eb('deleted_at', 'is', null), eb('staging_for', 'is', null)]);
    if (visible === null) return exists;
    const ofOwners = visible.map(({ ownerId, workspaceIds }) =>
      and([
        eb('owner_id', '=', ownerId),
        ...(workspaceIds === null ? [] : [eb('id', 'in', [...workspaceIds, ''])]),
      ]),
    );
    return and([exists, or(ofOwners)]);
  };
}

async function lockRow(
  transaction: Transaction<Tables>,
  id: string,
): Promise<Selectable<Tables['workspace']>> {
  const row = await transaction
    .selectFrom('workspace')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('workspace_not_found');
  return row;
}

type Row = Pick<
  Selectable<Tables['workspace']>,
  'id' | 'owner_id' | 'name' | 'plan' | 'settings' | 'public_token' | 'own_skills' | 'correction'
> & {
  /** A string if the row was read as JSON. */
  readonly created_at: Date | string;
};

export function workspaceFromRow(row: Row): Workspace {
  return {
    id: row.id,
    owner: row.owner_id,
    name: row.name,
    plan: planSchema.parse(row.plan),
    settings: workspaceSettingsSchema.parse(row.settings),
    publicToken: row.public_token,
    hasOwnSkills: row.own_skills,
    correction: usedCorrectionSchema.nullable().parse(row.correction ?? null),
    createdAt: new Date(row.created_at),
  };
}

/** Throws `invalid_audience` unless the workspace's settings contain every tag. */
export function assertKnownAudience(workspace: Workspace, audience: readonly string[]): void {
  const configured = workspace.settings.audiences ?? [];
  const unknown = audience.find((tag) => !configured.includes(tag));
  if (unknown === undefined) return;
  throw new AppError('invalid_audience', {
    detail: `audience contains ${JSON.stringify(unknown)}, which is not in the workspace's settings.audiences.`,
  });
}
