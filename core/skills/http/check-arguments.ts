import { z } from 'zod';
import { describeFaults } from './describe-faults.ts';
import type { HttpSkillRecord } from './http-skill-record.ts';
import { findFaults } from './parameters-validator.ts';

const argumentsSchema = z.record(z.string(), z.unknown());

const maxBytes = 64 * 1024;

type CheckedArguments =
  | { readonly given: Readonly<Record<string, unknown>> }
  /** What the visitor has to be asked for, in words. */
  | { readonly finding: string };

/**
 * The arguments of a call as they may be sent, or what they lack. Nothing in them is changed to make it fit. Throws what
 * `findFaults` throws, for a skill that was stored before its schema would have been refused.
 */
export function checkArguments({ parameters }: HttpSkillRecord, given: unknown): CheckedArguments {
  const { data = null } = argumentsSchema.safeParse(given ?? {});
  if (Buffer.byteLength(JSON.stringify(data)) > maxBytes) {
    return { finding: 'Not done: its arguments are longer than 64 KB together.' };
  }
  const faults = findFaults(parameters, data ?? {});
  if (faults.length === 0 && data !== null) return { given: data };
  return { finding: describeFaults(faults) };
}
