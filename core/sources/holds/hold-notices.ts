import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import { holdSchema } from './judge-run.ts';

/** The news for owners about a run that is held. */
export interface HoldNotice {
  readonly sourceId: string;
  readonly source: string;
  readonly workspaceId: string;
  readonly workspace: string;
  readonly removed: number;
  readonly changed: number;
  readonly kept: number;
  /** Mails that failed before this one. */
  readonly faults: number;
  /** Owners of the workspace who want mails. */
  readonly recipients: readonly { readonly email: string; readonly language: string | null }[];
}

const MOST_AT_ONCE = 20;

/** Returns the sources whose owners have not been notified, in workspaces that exist. */
export async function findUntoldHolds(
  database: Kysely<Tables>,
): Promise<readonly { id: string; workspaceId: string }[]> {
  const rows = await database
    .selectFrom('source')
    .innerJoin('workspace', 'workspace.id', 'source.workspace_id')
    .select(['source.id', 'source.workspace_id'])
    .where('held_run', 'is not', null)
    .where('hold_told_at', 'is', null)
    .where('workspace.deleted_at', 'is', null)
    .orderBy('held_at')
    .limit(MOST_AT_ONCE)
    .execute();
  return rows.map(({ id, workspace_id: workspaceId }) => ({ id, workspaceId }));
}

/**
 * Marks a hold as notified, and returns the notice. Null if the hold has ended, or another process sends the notice.
 */
export async function claimHoldNotice(
  database: Kysely<Tables>,
  sourceId: string,
  now: Date,
): Promise<HoldNotice | null> {
  return database.transaction().execute(async (transaction) => {
    const source = await transaction
      .updateTable('source')
      .set({ hold_told_at: now })
      .where('id', '=', sourceId)
      .where('held_run', 'is not', null)
      .where('hold_told_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (source === undefined) return null;
    const run = await transaction
      .selectFrom('source_run')
      .innerJoin('workspace', 'workspace.id', 'source_run.workspace_id')
      .select(['hold', 'workspace.name', 'workspace.owner_id'])
      .where('source_id', '=', sourceId)
      .where('number', '=', source.held_run)
      .executeTakeFirstOrThrow();
    const recipients = await transaction
      .selectFrom('membership')
      .innerJoin('person', 'person.id', 'membership.person_id')
      .select(['email', 'language'])
      .where('membership.owner_id', '=', run.owner_id)
      .where('role', '=', 'owner')
      .where('email_digest', '=', true)
      .where(sql<boolean>`(workspace_ids is null or ${source.workspace_id} = any (workspace_ids))`)
      .orderBy('email')
      .execute();
    const { removed, changed, kept } = holdSchema.parse(run.hold);
    return {
      ...{ sourceId, source: source.name, workspaceId: source.workspace_id, workspace: run.name },
      ...{ removed, changed, kept, faults: source.hold_mail_faults, recipients },
    };
  });
}

/** Lets the next round try again. */
export async function returnHoldNotice(database: Kysely<Tables>, { sourceId }: HoldNotice): Promise<void> {
  await database
    .updateTable('source')
    .set(({ eb }) => ({ hold_told_at: null, hold_mail_faults: eb('hold_mail_faults', '+', 1) }))
    .where('id', '=', sourceId)
    .where('held_run', 'is not', null)
    .execute();
}
