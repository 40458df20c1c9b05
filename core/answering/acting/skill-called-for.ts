import type { SkillCall } from './run-skill.ts';
import { momentFor, type SkillSet } from './skill-set.ts';

/** The skill that the visitor asked for by a button, or the first one that his own words call for, whatever a model would say of them. */
export function skillCalledFor(set: SkillSet, signal: AbortSignal): SkillCall | null {
  const wanted = set.skills.find(({ name }) => name === set.wanted);
  if (wanted !== undefined) return { skill: wanted, given: {} };
  // What a skill asked the visitor for is its to take, before another one makes something else of it.
  const inOrder = set.skills.toSorted((one, other) => rank(set, one.name) - rank(set, other.name));
  for (const skill of inOrder) {
    const given = skill.trigger(momentFor(set, skill, signal));
    if (given !== null) return { skill, given };
  }
  return null;
}

function rank({ awaited }: SkillSet, name: string): number {
  return awaited?.skill === name ? 0 : 1;
}
