import { z } from 'zod';
import { AppError } from '../errors.ts';

export interface Fields {
  readonly [name: string]: unknown;
}

/**
 * What `schema` takes of `given`, as it was given: defaults may be others one day. What is not given may be `inherited`.
 * Throws `invalid_credentials` or
 * `invalid_settings`, with the field and what it is, and never with its value.
 */
export function readFields(
  kind: 'credentials' | 'settings',
  schema: z.ZodType,
  given: Fields,
  inherited: Fields = {},
): Fields {
  const whole = { ...inherited, ...given };
  const read = schema.safeParse(whole);
  if (read.success) {
    const known = fieldsOf(read.data);
    return Object.fromEntries(Object.entries(given).filter(([name]) => name in known));
  }
  const [issue] = read.error.issues;
  const path = issue?.path.map(String) ?? [];
  const fault = isAbsent(whole, path)
    ? 'is required'
    : `is not understood: ${issue?.message.replace(/\.$/, '') ?? ''}`;
  const what = descriptionOf(schema, path[0]);
  const detail = `${[kind, ...path].join('.')} ${fault}${what === undefined ? '' : ` (${what})`}.`;
  throw new AppError(`invalid_${kind}`, { detail });
}

export function fieldsOf(value: unknown): Fields {
  return z.record(z.string(), z.unknown()).parse(value);
}

function isAbsent(given: unknown, [name, ...inside]: readonly string[]): boolean {
  if (name === undefined) return given === undefined;
  if (typeof given !== 'object' || given === null) return false;
  return isAbsent(Object.entries(given).find(([field]) => field === name)?.[1], inside);
}

function descriptionOf(schema: z.ZodType, field: string | undefined): string | undefined {
  if (field === undefined) return undefined;
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const properties = z.object({ properties: z.record(z.string(), z.unknown()) }).safeParse(json);
  const property = z.object({ description: z.string() }).safeParse(properties.data?.properties[field]);
  return property.data?.description.replace(/\.$/, '');
}
