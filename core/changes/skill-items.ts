import type { Transaction } from 'kysely';
import type { HttpSkillRecord } from '../answering/skills/http/http-skill-record.ts';
import {
  type HttpSkillChange,
  type HttpSkills,
  loadSkills,
  type NewHttpSkill,
} from '../answering/skills/http/http-skills.ts';
import { AppError } from '../base/errors.ts';
import type { Actor } from '../contract/actor.ts';
import type { Tables } from '../storage/tables/tables.ts';
import {
  type Base,
  type ChangeItem,
  type ChangeView,
  type Kept,
  type SkillChange,
  type StagedSkill,
  stagedSkillSchema,
} from './change-item.ts';

interface Dependencies {
  readonly httpSkills: HttpSkills;
}

interface Acting {
  readonly workspaceId: string;
  readonly actor: Actor;
}

/**
 * Returns the fields of the skill that the change names, as they are now. Throws `skill_not_found`, `skill_name_taken`,
 * `too_many_skills`, `invalid_name`, `invalid_url` and `invalid_parameters`.
 */
export async function requireStageableSkill(
  { httpSkills }: Dependencies,
  transaction: Transaction<Tables>,
  { workspaceId, change }: { readonly workspaceId: string; readonly change: SkillChange },
): Promise<Base> {
  if (change.kind === 'skill_new') {
    await httpSkills.requireNew(transaction, workspaceId, toNewSkill(change));
    return {};
  }
  if (change.kind === 'skill_changed') httpSkills.requireFields(toChange(change.fields));
  const skill = await findSkill(transaction, workspaceId, change.skill_id);
  if (skill === undefined) throw new AppError('skill_not_found');
  return { skill: pickState(skill, namesOf(change)) };
}

async function findSkill(transaction: Transaction<Tables>, workspaceId: string, id: string) {
  return (await loadSkills(transaction, workspaceId)).find((skill) => skill.id === id);
}

/** Makes a change of a skill. A new one gets a secret that nobody has seen: its owner renews it. */
export async function publishSkill(
  { httpSkills }: Dependencies,
  transaction: Transaction<Tables>,
  { change, keptMs, ...acting }: Acting & { readonly change: SkillChange; readonly keptMs: number },
): Promise<Kept> {
  if (change.kind === 'skill_new') {
    const { skill } = await httpSkills.createWithin(transaction, acting, toNewSkill(change));
    return { published: { skill: pickState(skill, fieldNames) } };
  }
  const target = { ...acting, id: change.skill_id };
  const before = await findSkill(transaction, acting.workspaceId, change.skill_id);
  if (before === undefined)
    throw new AppError('change_set_conflict', { detail: `The skill ${change.skill_id} is gone.` });
  const skill = pickState(before, namesOf(change));
  if (change.kind === 'skill_removed') {
    await httpSkills.deleteWithin(transaction, target, keptMs);
    return { skill, published: {} };
  }
  const changed = await httpSkills.changeWithin(transaction, target, toChange(change.fields));
  return { skill, published: { skill: pickState(changed, namesOf(change)) } };
}

/** Takes a published change back. A removed skill comes back with its secret. */
export async function undoSkill(
  { httpSkills }: Dependencies,
  transaction: Transaction<Tables>,
  { change, kept, ...acting }: Acting & { readonly change: SkillChange; readonly kept: Kept },
): Promise<void> {
  const { skill = kept.published.skill } = kept;
  if (skill === undefined) throw new AppError('change_set_too_old');
  const target = { ...acting, id: skill.id };
  switch (change.kind) {
    case 'skill_new':
      return httpSkills.deleteWithin(transaction, target, 0);
    case 'skill_changed': {
      const fields = stagedSkillSchema.partial().parse(skill.fields);
      await httpSkills.changeWithin(transaction, target, toChange(fields));
      return;
    }
    case 'skill_removed':
      await httpSkills.restoreWithin(transaction, target).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        const detail = `${skill.name} cannot come back: ${error.message}`;
        throw new AppError('change_set_conflict', { detail, cause: error });
      });
  }
}

interface SkillConflict {
  readonly name: string;
  readonly isGone: boolean;
}

/** Compares the base of an item with the skills that there are now. Null: nothing was changed. Pure. */
export function compareSkill(
  { base, change }: Pick<ChangeItem, 'base' | 'change'>,
  skills: readonly HttpSkillRecord[],
): SkillConflict | null {
  if (base.skill === undefined) {
    const isTaken = change.kind === 'skill_new' && skills.some(({ name }) => name === change.name);
    return isTaken ? { name: change.name, isGone: true } : null;
  }
  const { id, name, fields } = base.skill;
  const skill = skills.find((each) => each.id === id);
  if (skill === undefined) return { name, isGone: true };
  const now: Readonly<Record<string, unknown>> = toFields(skill);
  const changed = Object.keys(fields).filter(
    (key) => JSON.stringify(fields[key]) !== JSON.stringify(now[key]),
  );
  return changed.length === 0 ? null : { name: `${name} (${changed.join(', ')})`, isGone: false };
}

/** The fields of the skill before and after. Pure. */
export function viewSkill({ change, base, kept }: ChangeItem): ChangeView {
  const before = kept?.skill?.fields ?? base.skill?.fields ?? {};
  const after: Readonly<Record<string, unknown>> =
    change.kind === 'skill_new' ? pick(change) : change.kind === 'skill_changed' ? change.fields : {};
  return {
    name: change.kind === 'skill_new' ? change.name : (base.skill?.name ?? ''),
    lines: [],
    settings: Object.entries(after).map(([name, value]) => ({
      ...{ name, before: before[name] ?? null, after: value ?? null },
    })),
  };
}

const fieldNames = Object.keys(stagedSkillSchema.shape);

function namesOf(change: Exclude<SkillChange, { kind: 'skill_new' }>): readonly string[] {
  return change.kind === 'skill_changed' ? Object.keys(change.fields) : fieldNames;
}

function pickState(skill: HttpSkillRecord, names: readonly string[]) {
  const fields = Object.entries(toFields(skill)).filter(([name]) => names.includes(name));
  return { id: skill.id, name: skill.name, fields: Object.fromEntries(fields) };
}

function toFields({
  description,
  parameters,
  url,
  timeoutMs,
  runsFor,
  enabled,
}: HttpSkillRecord): StagedSkill {
  return {
    ...{ description, parameters, url, timeout_seconds: timeoutMs / 1_000, runs_for: runsFor, enabled },
  };
}

function pick({ description, parameters, url, timeout_seconds, runs_for, enabled }: StagedSkill) {
  return { description, parameters, url, timeout_seconds, runs_for, enabled };
}

function toNewSkill(change: Extract<SkillChange, { kind: 'skill_new' }>): NewHttpSkill {
  const { timeout_seconds, runs_for, ...fields } = pick(change);
  return { ...fields, name: change.name, timeoutMs: timeout_seconds * 1_000, runsFor: runs_for };
}

type StagedFields = Extract<SkillChange, { kind: 'skill_changed' }>['fields'];

function toChange({ timeout_seconds, runs_for, ...fields }: StagedFields): HttpSkillChange {
  const timeoutMs = timeout_seconds === undefined ? undefined : timeout_seconds * 1_000;
  return { ...fields, timeoutMs, runsFor: runs_for };
}
