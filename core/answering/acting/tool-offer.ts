import type { Skill } from '../../contract/skill.ts';
import type { ToolOffer } from '../models/chat-model.ts';

/** A skill as a model is told of it. */
export function toolOffer({ name, description, parameters }: Skill): ToolOffer {
  return { name, description, parameters };
}
