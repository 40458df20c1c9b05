import { randomBytes } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Page, PageRequest } from '../pagination.ts';
import { keysetPage } from '../storage/keyset-page.ts';
import type { Tables } from '../storage/tables.ts';
import { type PlanName, plans } from './plan.ts';
import { presentWorkspace } from './present-workspace.ts';
import { requireDowngrade } from './require-downgrade.ts';
import type { SecretBox } from './secret-box.ts';
import { type WorkspaceSettings, workspaceSettingsSchema } from './workspace-settings.ts';

export interface Workspace {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly plan: PlanName;
  readonly settings: WorkspaceSettings;
  readonly publicToken: string;
  /** Whether there are skills that it added by itself and that are on. */
  readonly hasOwnSkills: boolean;
  readonly createdAt: Date;
}

export interface NewWorkspace {
  readonly name: string;
  readonly plan?: PlanName | undefined;
  /** An owner's id, also one not seen before; a new owner when absent. */
  readonly owner?: string | undefined;
  readonly settings?: WorkspaceSettings | undefined;
}

export interface WorkspaceChange {
  readonly name?: string | undefined;
  readonly plan?: PlanName | undefined;
  /** Merged into the settings there are; null clears one. */
  readonly settings?:
    | { readonly [Name in keyof WorkspaceSettings]: WorkspaceSettings[Name] | null }
    | undefined;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
}

/** Workspaces and their owners. */
export class Workspaces {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** The identity secret is returned here and nowhere else. Throws `invalid_settings`. */
  async create(wanted: NewWorkspace): Promise<{ workspace: Workspace; identitySecret: string }> {
    const { database, secretBox, clock } = this.#dependencies;
    const identitySecret = `ids_${randomBytes(32).toString('base64url')}`;
    const owner = wanted.owner ?? newId('own');
    const plan = wanted.plan ?? 'starter';
    checkRetention(wanted.settings?.retention_days, plan);
    const row = await database.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('owner')
        .values({ id: owner, created_at: clock.now() })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      return transaction
        .insertInto('workspace')
        .values({
          id: newId('ws'),
          owner_id: owner,
          name: wanted.name,
          plan,
          settings: JSON.stringify(wanted.settings ?? {}),
          identity_secret_encrypted: secretBox.seal(identitySecret),
          public_token: `pub_${randomBytes(18).toString('base64url')}`,
          created_at: clock.now(),
          deleted_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
    return { workspace: presentWorkspace(row), identitySecret };
  }

  async find(id: string): Promise<Workspace | null> {
    const row = await this.#dependencies.database
      .selectFrom('workspace')
      .selectAll()
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    return row === undefined ? null : presentWorkspace(row);
  }

  /** Throws `workspace_not_found`. */
  async get(id: string): Promise<Workspace> {
    const workspace = await this.find(id);
    if (workspace === null) throw new AppError('workspace_not_found');
    return workspace;
  }

  async list(page: PageRequest): Promise<Page<Workspace>> {
    const query = this.#dependencies.database
      .selectFrom('workspace')
      .selectAll()
      .where('deleted_at', 'is', null);
    const { items, nextCursor } = await keysetPage(query, { list: 'workspaces', latest: 'created_at' }, page);
    return { items: items.map(presentWorkspace), nextCursor };
  }

  /** Throws `workspace_not_found`, `plan_downgrade_blocked` and `invalid_settings`. */
  async update(id: string, change: WorkspaceChange): Promise<Workspace> {
    const { database, clock } = this.#dependencies;
    return database.transaction().execute(async (transaction) => {
      const current = await lockRow(transaction, id);
      const plan = change.plan ?? current.plan;
      const { owner, plan: from } = current;
      await requireDowngrade(transaction, { owner, from, to: plan, at: clock.now() });
      checkRetention(change.settings?.retention_days, plan);
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
      return presentWorkspace(row);
    });
  }

  /** From now on nothing of it answers; its rows are removed in the background. Throws `workspace_not_found`. */
  async delete(id: string): Promise<void> {
    const { database, clock } = this.#dependencies;
    const deleted = await database
      .updateTable('workspace')
      .set({ deleted_at: clock.now() })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (deleted.numUpdatedRows === 0n) throw new AppError('workspace_not_found');
    await database
      .updateTable('document')
      .set({ status: 'deleted', revision: -1 })
      .where('workspace_id', '=', id)
      .execute();
  }

  /** The secret that a visitor's identity hash is made with. Throws `workspace_not_found`. */
  async identitySecret(id: string): Promise<string> {
    const row = await this.#dependencies.database
      .selectFrom('workspace')
      .select('identity_secret_encrypted')
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (row === undefined) throw new AppError('workspace_not_found');
    return this.#dependencies.secretBox.open(row.identity_secret_encrypted);
  }
}

async function lockRow(transaction: Transaction<Tables>, id: string): Promise<Workspace> {
  const row = await transaction
    .selectFrom('workspace')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('workspace_not_found');
  return presentWorkspace(row);
}

/** Only of a value that is being set: one set earlier, under a higher plan, is cut to the plan's where it is used. */
function checkRetention(days: number | null | undefined, plan: PlanName): void {
  const most = plans[plan].retentionDays;
  if (days == null || days <= most) return;
  throw new AppError('invalid_settings', {
    detail: `retention_days is at most ${most} on the plan ${plan}.`,
  });
}

function mergeSettings(
  current: WorkspaceSettings,
  change: NonNullable<WorkspaceChange['settings']>,
): WorkspaceSettings {
  const merged = Object.entries({ ...current, ...change }).filter(([, value]) => value !== null);
  return workspaceSettingsSchema.parse(Object.fromEntries(merged));
}
