import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { auditWorkspace } from '../../audit/audit-log.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Actor } from '../../contract/actor.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { insertRun, type RunRow, type Waking, wakeRun } from '../runs/run-queue.ts';
import type { BlockRule } from '../source-reader.ts';

/** Each page compares its blocks with all of them. */
const MOST_RULES = 500;
const MOST_SAMPLE_CHARACTERS = 300;

export const ruleActions = ['keep', 'cut'] as const;
const actionSchema = z.enum(ruleActions);

/** A rule as people see it. */
export interface SourceRule extends BlockRule {
  readonly id: string;
  /** The beginning of the text of the block. */
  readonly sample: string;
  readonly createdBy: string;
  readonly createdAt: Date;
}

interface SourceKey {
  readonly workspaceId: string;
  readonly sourceId: string;
}

export async function findBlockRules(
  database: Kysely<Tables>,
  { workspaceId, sourceId }: SourceKey,
): Promise<readonly BlockRule[]> {
  return listRules(database, { workspaceId, sourceId });
}

/** Returns the rules of a source, newest first. */
export async function listRules(
  database: Kysely<Tables>,
  { workspaceId, sourceId }: SourceKey,
): Promise<readonly SourceRule[]> {
  const rows = await database
    .selectFrom('source_rule')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('source_id', '=', sourceId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_RULES)
    .execute();
  return rows.map(toRule);
}

function toRule(row: Selectable<Tables['source_rule']>): SourceRule {
  return {
    ...{ id: row.id, key: row.key, block: row.block, action: actionSchema.parse(row.action) },
    ...{ sample: row.sample, createdBy: row.created_by, createdAt: row.created_at },
  };
}

interface Dependencies extends Waking {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

interface Target extends SourceKey {
  readonly actor: Actor;
}

export interface NewRule extends BlockRule {
  readonly sample: string;
}

/**
 * Keeps or cuts a block on a page or on all pages, in place of an earlier rule for it, and cuts the stored pages anew in the
 * background. Throws `source_not_found` and `too_many_source_rules`.
 */
export function addRule(dependencies: Dependencies, target: Target, rule: NewRule): Promise<SourceRule> {
  return change(dependencies, target, async (transaction, now) => {
    const { workspaceId, sourceId, actor } = target;
    const same = transaction
      .deleteFrom('source_rule')
      .where('source_id', '=', sourceId)
      .where('block', '=', rule.block)
      .where(sql<boolean>`key is not distinct from ${rule.key}::text`);
    await same.execute();
    const { count } = await transaction
      .selectFrom('source_rule')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('source_id', '=', sourceId)
      .executeTakeFirstOrThrow();
    if (count >= MOST_RULES) throw new AppError('too_many_source_rules');
    const { key, block, action } = rule;
    const row = await transaction
      .insertInto('source_rule')
      .values({
        ...{ id: newId('rule'), source_id: sourceId, workspace_id: workspaceId, key, block, action },
        sample: Array.from(rule.sample).slice(0, MOST_SAMPLE_CHARACTERS).join(''),
        ...{ created_by: actor.name, created_at: now },
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const details = { source: sourceId, rule: row.id, effect: action, page: key };
    const entry = { workspaceId, actor, at: now };
    await auditWorkspace(transaction, { ...entry, action: 'source_rule_added', details });
    return toRule(row);
  });
}

/** Removes a rule: its block is judged again like any other. Throws `source_not_found` and `source_rule_not_found`. */
export function removeRule(dependencies: Dependencies, target: Target, id: string): Promise<SourceRule> {
  return change(dependencies, target, async (transaction, now) => {
    const { workspaceId, sourceId, actor } = target;
    const row = await transaction
      .deleteFrom('source_rule')
      .where('workspace_id', '=', workspaceId)
      .where('source_id', '=', sourceId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) throw new AppError('source_rule_not_found');
    const details = { source: sourceId, rule: id };
    const entry = { workspaceId, actor, at: now };
    await auditWorkspace(transaction, { ...entry, action: 'source_rule_removed', details });
    return toRule(row);
  });
}

/** A source that is being read or held is cut by the run that follows. */
async function change(
  dependencies: Dependencies,
  { workspaceId, sourceId, actor }: Target,
  work: (transaction: Transaction<Tables>, now: Date) => Promise<SourceRule>,
): Promise<SourceRule> {
  const now = dependencies.clock.now();
  const { rule, run } = await dependencies.database.transaction().execute(async (transaction) => {
    const source = await transaction
      .updateTable('source')
      .set(({ eb }) => ({ rules_version: eb('rules_version', '+', 1) }))
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', sourceId)
      .returning(['id', 'workspace_id', 'held_run'])
      .executeTakeFirst();
    if (source === undefined) throw new AppError('source_not_found');
    const changed = await work(transaction, now);
    const startedBy = actor.name;
    const started: RunRow | null =
      source.held_run === null ? await insertRun(transaction, { source, startedBy, now, isCut: true }) : null;
    return { rule: changed, run: started };
  });
  if (run !== null) await wakeRun(dependencies, run);
  return rule;
}
