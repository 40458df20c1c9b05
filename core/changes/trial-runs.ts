import type { Kysely } from 'kysely';
import { AppError } from '../base/errors.ts';
import type { Actor } from '../contract/actor.ts';
import type { Trial, TriedSet } from '../evaluation/run-slice.ts';
import type { TestRun, TestRuns } from '../evaluation/test-runs.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import { auditSet, type ChangeSet, fromRow, loadItems } from './change-set.ts';
import { openTrial, requireSize } from './open-trial.ts';
import { requireReady } from './staged-documents.ts';

interface Starting {
  readonly database: Kysely<Tables>;
  readonly runs: Pick<TestRuns, 'start'>;
}

/**
 * Asks the test questions with a set and without it. Throws `change_set_closed`, `change_set_empty`,
 * `change_set_not_ready`, `change_set_too_large`, `no_test_questions` and `test_running`.
 */
export async function startTrial(
  { database, runs }: Starting,
  { set, actor, at }: { readonly set: ChangeSet; readonly actor: Actor; readonly at: Date },
): Promise<TestRun> {
  if (set.state !== 'staged') throw new AppError('change_set_closed');
  const items = await loadItems(database, set);
  if (items.length === 0) throw new AppError('change_set_empty');
  await requireReady(database, { set, items });
  await requireSize(database, { set, items });
  const run = await runs.start({
    ...{ workspaceId: set.workspaceId, reason: 'change_set', startedBy: actor.name },
    tried: { changeSetId: set.id, revision: set.revision },
  });
  await auditSet(database, set, { actor, at, action: 'change_set_tried' });
  return run;
}

/**
 * Opens what a run tries, for the worker. Null if the set was changed, published or removed since the run was started, or
 * cannot be tried any more.
 */
export async function openTriedSet(
  dependencies: Parameters<typeof openTrial>[0],
  { changeSetId, revision }: TriedSet,
  workspace: Workspace,
): Promise<Trial | null> {
  const row = await dependencies.database
    .selectFrom('change_set')
    .selectAll()
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', changeSetId)
    .where('state', '=', 'staged')
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (row === undefined) return null;
  return openTrial(dependencies, { workspace, set: fromRow(row) }).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
}
