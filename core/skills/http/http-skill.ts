import type { Skill } from '../../contract/skill.ts';
import { carryOut, type SkillDependencies } from './carry-out.ts';
import type { CallableSkill } from './http-skill-record.ts';

/** A skill that its owner's server carries out. Only a model calls it: no words of a visitor say what it is for. */
export function httpSkill(record: CallableSkill, dependencies: SkillDependencies): Skill {
  const { name, description, parameters, runsFor } = record;
  return {
    name,
    description,
    parameters,
    runsFor,
    trigger: () => null,
    run: async (given, moment) => (await carryOut(dependencies, record, { given, moment })).outcome,
  };
}
