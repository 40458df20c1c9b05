import type { ErrorObject } from 'ajv';
import { z } from 'zod';
import { cutText } from './cut-text.ts';

interface Fault {
  /** Of the argument; of one inside another `address.city`. */
  readonly name: string;
  readonly description: string | null;
  /** Null where it is missing. */
  readonly fault: string | null;
}

const describedSchema = z
  .object({ description: z.string().nullable().catch(null) })
  .catch({ description: null });
const parentSchema = z
  .object({
    description: z.string().nullable().catch(null),
    properties: z.record(z.string(), z.unknown()).catch({}),
  })
  .catch({ description: null, properties: {} });
const paramsSchema = z.object({
  missingProperty: z.string().optional(),
  additionalProperty: z.string().optional(),
  allowedValues: z.array(z.unknown()).optional(),
});

/** More than a visitor can be asked for at once. */
const most = 20;
const maxDescription = 300;

/** What is wrong with arguments, as a list of what a visitor has to be asked for. */
export function describeFaults(errors: readonly ErrorObject[]): string {
  if (errors.length === 0) return 'Not done: its arguments were not given by their names.';
  const faults = new Map<string, Fault>();
  for (const fault of errors.map(faultOf)) {
    if (!faults.has(fault.name)) faults.set(fault.name, fault);
  }
  const lines = [...faults.values()].slice(0, most).map(lineOf);
  return ['Not done yet. What is still needed from the visitor:', ...lines].join('\n');
}

function faultOf({ instancePath, params, message = 'does not fit', ...error }: ErrorObject): Fault {
  const { missingProperty, additionalProperty, allowedValues } = paramsSchema.parse(params);
  const parent = parentSchema.parse(error.parentSchema);
  const path = instancePath.split('/').slice(1).map(unescapePointer);
  if (missingProperty !== undefined) {
    const { description } = describedSchema.parse(parent.properties[missingProperty]);
    return { name: [...path, missingProperty].join('.'), description, fault: null };
  }
  if (additionalProperty !== undefined) {
    return {
      name: [...path, additionalProperty].join('.'),
      description: null,
      fault: 'is not one of its arguments',
    };
  }
  const values = allowedValues === undefined ? '' : `: ${allowedValues.map(String).join(', ')}`;
  return {
    name: path.join('.') || 'all arguments',
    description: parent.description,
    fault: `${message}${values}`,
  };
}

function lineOf({ name, description, fault }: Fault): string {
  const about = description === null ? '' : ` (${cutText(description, maxDescription)})`;
  return `- ${name}${about}${fault === null ? '' : `: what was given ${cutText(fault, maxDescription)}`}`;
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
