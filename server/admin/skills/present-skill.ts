import type { z } from 'zod';
import type { HttpSkillRecord } from '../../../core/skills/http/http-skill-record.ts';
import type { skillSchema } from './skill-schema.ts';

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
