import { z } from 'zod';
import type { ChangeItem } from '../../../core/changes/change-item.ts';
import { type Change, changeSchema, isSkillChange } from '../../../core/changes/change-item.ts';
import { type ChangeSet, changeSetStates } from '../../../core/changes/change-set.ts';
import { differences } from '../../../core/changes/difference.ts';
import type { ItemView } from '../../../core/changes/item-views.ts';
import type { TrialSummary } from '../../../core/changes/trial-results.ts';
import { outcomes } from '../../../core/evaluation/judge.ts';
import { type LiveAnswer, trialVerdicts } from '../../../core/evaluation/live-answer.ts';
import { runStates } from '../../../core/evaluation/test-runs.ts';
import { documentStatuses } from '../../../core/knowledge/documents/document.ts';
import { withErrorCode } from '../../schemas/responses.ts';
import { workspaceParamsSchema } from '../operator-route.ts';

const byAt = (what: string) =>
  z
    .object({ by: z.string(), at: z.iso.datetime() })
    .nullable()
    .meta({ description: `Null: not ${what}.` });

export const changeSetSchema = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(changeSetStates),
  created_by: z.string(),
  created_at: z.iso.datetime(),
  published: byAt('published'),
  undone: byAt('taken back'),
});

export const listedSetSchema = changeSetSchema
  .extend({ changes: z.int().meta({ description: 'The number of changes in it.' }) })
  .meta({ id: 'ListedChangeSet' });

const itemSchema = z
  .object({
    id: z.string(),
    change: changeSchema,
    name: z.string().meta({
      description: 'The title of the document, the question or the name of the skill; empty for settings.',
    }),
    status: z.enum(documentStatuses).nullable().meta({
      description: 'The indexing of its document, which only trials find. Null: it has none.',
    }),
    failure: z.string().nullable(),
    is_changed: z.boolean().meta({
      description: 'Whether the changed thing was changed since: take it over again.',
    }),
    is_gone: z.boolean().meta({
      description: 'Whether it is gone, or its URL, question or name is taken: remove the change.',
    }),
    lines: z
      .array(z.object({ kind: z.enum(['same', 'added', 'removed']), text: z.string() }))
      .meta({ description: 'The text, line by line; of settings and skills none.' }),
    settings: z
      .array(z.object({ name: z.string(), before: z.unknown(), after: z.unknown() }))
      .meta({ description: 'The settings or fields that change. null: not set.' }),
  })
  .meta({ id: 'ChangeItem' });

const answerSchema = z.object({
  outcome: z.enum(outcomes),
  because: z.string(),
  text: z.string().meta({ description: 'At most 2,000 characters.' }),
  tier: z.string().nullable(),
  probability: z.number().nullable(),
  source_title: z.string().nullable(),
});

export const trialSchema = z
  .object({
    run_id: z.string(),
    state: z.enum(runStates),
    started_by: z.string(),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    questions: z.int(),
    is_current: z.boolean().meta({ description: 'Whether the set was not changed since.' }),
    is_green: z.boolean().meta({
      description:
        'Whether the run is finished and current, and each answer that differs is better or was accepted by a person.',
    }),
    counts: z.object({ same: z.int(), better: z.int(), worse: z.int(), differs: z.int() }),
    results: z.array(
      z.object({
        question_id: z.string(),
        question: z.string(),
        difference: z.enum(differences),
        verdict: z.enum(trialVerdicts).nullable().meta({ description: 'The word of a person.' }),
        live: answerSchema,
        after: answerSchema,
      }),
    ),
  })
  .meta({ id: 'ChangeSetTrial' });

export const openedSetSchema = changeSetSchema
  .extend({
    items: z.array(itemSchema),
    trial: trialSchema.nullable().meta({ description: 'The newest trial. Null: none was started.' }),
  })
  .meta({ id: 'OpenedChangeSet' });

export const setParamsSchema = workspaceParamsSchema.extend({
  change_set_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('change_set_not_found')),
});

export function presentSet(set: ChangeSet): z.output<typeof changeSetSchema> {
  const byAt = (by: string | null, at: Date | null) =>
    by === null || at === null ? null : { by, at: at.toISOString() };
  return {
    ...{ id: set.id, name: set.name, state: set.state, created_by: set.createdBy },
    created_at: set.createdAt.toISOString(),
    published: byAt(set.publishedBy, set.publishedAt),
    undone: byAt(set.undoneBy, set.undoneAt),
  };
}

/** The address and the arguments of a skill are for people who may read skills. */
export function presentItem(
  { id, change }: ChangeItem,
  { name, status, failure, isChanged, isGone, lines, settings }: ItemView,
  seesSkills: boolean,
): z.output<typeof itemSchema> {
  const isHidden = isSkillChange(change) && !seesSkills;
  return {
    ...{ id, change: isHidden ? withoutAddress(change) : change },
    ...{ name, status, failure, is_changed: isChanged, is_gone: isGone },
    lines: lines.map((line) => ({ ...line })),
    settings: settings
      .filter((setting) => !isHidden || !['url', 'parameters'].includes(setting.name))
      .map((setting) => ({ ...setting })),
  };
}

function withoutAddress(change: Change): Change {
  if (change.kind === 'skill_new') return { ...change, url: '', parameters: {} };
  if (change.kind !== 'skill_changed') return change;
  const { url: _, parameters: __, ...fields } = change.fields;
  return { ...change, fields };
}

export function presentTrial(trial: TrialSummary): z.output<typeof trialSchema> {
  const { run, counts, isGreen, results } = trial;
  return {
    ...{ run_id: run.id, state: run.state, started_by: run.startedBy, questions: run.questions },
    created_at: run.createdAt.toISOString(),
    finished_at: run.finishedAt?.toISOString() ?? null,
    ...{ is_current: run.isCurrent, is_green: isGreen, counts },
    results: results.map(({ questionId, question, difference, verdict, live, trial: after }) => ({
      ...{ question_id: questionId, question, difference, verdict },
      ...{ live: presentAnswer(live), after: presentAnswer(after) },
    })),
  };
}

function presentAnswer({ answer, generated: _, ...rest }: LiveAnswer): z.output<typeof answerSchema> {
  return { ...rest, text: answer };
}
