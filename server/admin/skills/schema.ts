import { z } from 'zod';
import {
  type HttpSkillRecord,
  SKILL_AUDIENCES,
} from '../../../core/answering/skills/http/http-skill-record.ts';
import { boundedString, callbackUrlSchema } from '../../schemas/fields.ts';
import { withErrorCode } from '../../schemas/responses.ts';
import { workspaceParamsSchema } from '../operator-route.ts';

/** The path parameters of one HTTP skill. */
export const skillParamsSchema = workspaceParamsSchema.extend({
  skill_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('skill_not_found')),
});

/** The fields of an HTTP skill that can be changed. */
export const skillFieldsSchema = z.object({
  description: boundedString({ min: 1, max: 1_000 }, z.string().trim()).meta({
    description: 'Tells the language model when to use the skill.',
  }),
  parameters: z.record(z.string(), z.unknown()).meta({
    description:
      'The arguments of the skill: a JSON Schema (2020-12) for an object, at most 16 KB long, without external references.',
  }),
  url: callbackUrlSchema.meta({
    description: 'The https URL that calls are posted to, without a user name or password.',
  }),
  timeout_seconds: z.number().int().min(1).max(20),
  runs_for: z.enum(SKILL_AUDIENCES).meta({
    description: 'verified limits the skill to visitors whose identity is verified.',
  }),
  enabled: z.boolean(),
});

/** An HTTP skill as the operator sees it, without its secret. */
export const skillSchema = z
  .object({
    id: z.string(),
    workspace_id: z.string(),
    name: z.string(),
    description: z.string(),
    parameters: z.record(z.string(), z.unknown()),
    url: z.string(),
    timeout_seconds: z.int(),
    runs_for: z.enum(SKILL_AUDIENCES),
    enabled: z.boolean(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Skill' });

export function presentSkill(skill: HttpSkillRecord): z.output<typeof skillSchema> {
  return {
    id: skill.id,
    workspace_id: skill.workspaceId,
    name: skill.name,
    description: skill.description,
    parameters: { ...skill.parameters },
    url: skill.url,
    timeout_seconds: skill.timeoutMs / 1_000,
    runs_for: skill.runsFor,
    enabled: skill.enabled,
    created_at: skill.createdAt.toISOString(),
  };
}
