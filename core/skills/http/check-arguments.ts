import { z } from 'zod';
import { describeFaults } from './describe-faults.ts';
import type { HttpSkillRecord } from './http-skill-record.ts';
import { parametersValidator } from './parameters-validator.ts';

const argumentsSchema = z.record(z.string(), z.unknown());

type CheckedArguments =
  | { readonly given: Readonly<Record<string, unknown>> }
  /** What the visitor has to be asked for, in words. */
  | { readonly finding: string };

/** The arguments of a call as they may be sent, or what they lack. Nothing in them is changed to make it fit. */
export function checkArguments({ parameters }: HttpSkillRecord, given: unknown): CheckedArguments {
  const { data = null } = argumentsSchema.safeParse(given ?? {});
  const validate = parametersValidator(parameters);
  if (validate(data ?? {}) && data !== null) return { given: data };
  return { finding: describeFaults(validate.errors ?? []) };
}
