import type { ActionOffer } from '../../contract/answer-writer.ts';
import type { Skill } from '../../contract/skill.ts';

/** A skill as a model is told of it. */
export function toolOffer({ name, description, parameters }: Skill): ActionOffer {
  return { name, description, parameters };
}
