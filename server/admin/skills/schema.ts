import { z } from 'zod';
import { audiencesOfSkills, type HttpSkillRecord } from '../../../core/skills/http/http-skill-record.ts';
import { characters, receiverUrlSchema } from '../../schemas/fields.ts';
import { answerWith } from '../../schemas/responses.ts';
import { workspaceParamsSchema } from '../operator-route.ts';

/** The path parameters of one HTTP skill. */
export const skillParamsSchema = workspaceParamsSchema.extend({
  skill_id: z.string().refine((id) => /^\w+$/.test(id), answerWith('skill_not_found')),
});

/** What may be changed of an HTTP skill. */
export const skillFieldsSchema = z.object({
  description: characters({ min: 1, max: 1_000 }, z.string().trim()).meta({
    description: 'Tells a language model when to use it.',
  }),
  parameters: z.record(z.string(), z.unknown()).meta({
    description:
      'Its arguments: a JSON Schema (2020-12) of an object, at most 16 KB, without foreign references.',
  }),
  url: receiverUrlSchema.meta({
    description: 'Where its calls are posted to, by https, without a user name.',
  }),
  timeout_seconds: z.number().int().min(1).max(20),
  runs_for: z.enum(audiencesOfSkills).meta({
    description: 'verified: only for visitors whose identity was proven.',
  }),
  enabled: z.boolean(),
});

/** An HTTP skill as the operator sees it: without its secret. */
export const skillSchema = z
  .object({
    id: z.string(),
    workspace_id: z.string(),
    name: z.string(),
    description: z.string(),
    parameters: z.record(z.string(), z.unknown()),
    url: z.string(),
    timeout_seconds: z.int(),
    runs_for: z.enum(audiencesOfSkills),
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
