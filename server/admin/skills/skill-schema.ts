import { z } from 'zod';
import { audiencesOfSkills } from '../../../core/skills/http/http-skill-record.ts';

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
