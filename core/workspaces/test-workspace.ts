import { type Kysely, sql } from 'kysely';
import { newPublicToken } from '../secrets/secret-rotation.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** The days after its last message that a conversation of a test key is kept. */
export const TEST_DAYS = 7;

const PREFIX = 'test_';

/**
 * Returns the id of the hidden workspace that keeps the conversations of test keys. Every list, count, report, mail and
 * webhook names its workspace, and nobody can name this one, so none of them knows a test conversation.
 */
export function testWorkspaceId(workspaceId: string): string {
  return `${PREFIX}${workspaceId}`;
}

/** Whether a conversation in this workspace is a test. */
export function isTestWorkspace(workspaceId: string): boolean {
  return workspaceId.startsWith(PREFIX);
}

/** Returns the id of the workspace that callers know. */
export function knownWorkspaceId(workspaceId: string): string {
  return isTestWorkspace(workspaceId) ? workspaceId.slice(PREFIX.length) : workspaceId;
}

interface NewTestWorkspace {
  readonly workspaceId: string;
  /** The sealed identity secret, which nobody knows. */
  readonly secret: string;
  readonly at: Date;
}

/**
 * Inserts the hidden workspace, if it is not there. It has no settings but its retention: no rule hands its conversations
 * over, and maintenance deletes them as it does others.
 */
export async function insertTestWorkspace(
  database: Kysely<Tables>,
  { workspaceId, secret, at }: NewTestWorkspace,
): Promise<void> {
  const settings = JSON.stringify({ retention_days: TEST_DAYS });
  await sql`
    insert into workspace (
      id, owner_id, name, plan, settings, identity_secret_encrypted, public_token, created_at, staging_for
    )
    select ${testWorkspaceId(workspaceId)}, owner_id, name, plan, ${settings}::jsonb, ${secret}, ${newPublicToken()}, ${at}, id
    from workspace where id = ${workspaceId} and deleted_at is null
    on conflict (id) do nothing
  `.execute(database);
}
