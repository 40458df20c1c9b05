import { z } from 'zod';
import type { SkillState } from '../../contract/skill.ts';

const leadStateSchema = z.object({
  asked: z.array(z.enum(['name', 'contact'])),
  /** How often the visitor was asked already. */
  attempts: z.number().int(),
  /** What he told while the way of contact was still missing. */
  name: z.string().optional(),
  /** Whether a way of contact was stored, so that only the name is missing. */
  captured: z.boolean().optional(),
});

/** What the skill asked for in the answer before. */
export type LeadState = z.output<typeof leadStateSchema>;

/** Null where nothing was asked for, or a release with another form of it did. */
export function readLeadState(awaited: SkillState | null): LeadState | null {
  return leadStateSchema.safeParse(awaited).data ?? null;
}
