import type { JsonSchema } from '../../contract/skill.ts';
import { AppError } from '../../errors.ts';
import { PatternError } from './linear-pattern.ts';
import { findFaults, SlowSchemaError } from './parameters-validator.ts';

const maxBytes = 16 * 1024;
const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Throws `invalid_parameters`, and says what is wrong with them. */
export function requireParameters(parameters: JsonSchema): void {
  const fault = faultOf(parameters);
  if (fault !== null) throw new AppError('invalid_parameters', { detail: `parameters: ${fault}.` });
}

function faultOf(parameters: JsonSchema): string | null {
  if (Buffer.byteLength(JSON.stringify(parameters)) > maxBytes) return 'they are larger than 16 KB';
  if (parameters.type !== 'object') return 'type must be "object"';
  const { $schema = dialect } = parameters;
  if (String($schema).replace(/#$/, '') !== dialect) return `$schema must be "${dialect}", or absent`;
  // Such a schema is answered with a promise, which would pass for a yes.
  if (parameters.$async !== undefined) return '$async is not taken';
  const reference = foreignReference(parameters);
  if (reference !== null) return `$ref "${reference}" must point into this schema and begin with #`;
  return faultOfCompiling(parameters);
}

/** The first reference that leads out of the schema. */
function foreignReference(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, item] of Object.entries(value)) {
    const isReference = (name === '$ref' || name === '$dynamicRef') && typeof item === 'string';
    if (isReference && !item.startsWith('#')) return item;
    const inside = foreignReference(item);
    if (inside !== null) return inside;
  }
  return null;
}

function faultOfCompiling(parameters: JsonSchema): string | null {
  try {
    // The trial finds references that lead to themselves.
    findFaults(parameters, {});
    return null;
  } catch (error) {
    if (error instanceof PatternError) return describePattern(parameters, error.pattern);
    if (error instanceof SlowSchemaError)
      return 'they take too long to check: let fewer $ref point to the same part';
    if (error instanceof RangeError) return 'they are nested too deeply, or refer to themselves without end';
    if (error instanceof Error) return error.message.replace(/^strict mode: /, '').replace(/\.$/, '');
    throw error;
  }
}

function describePattern(parameters: JsonSchema, pattern: string): string {
  const place = placeOfPattern(parameters, pattern, [])?.join('.') ?? 'a pattern';
  return `${place} (${JSON.stringify(pattern)}) is not supported. Write it without back references, look-ahead, look-behind and scripts by name, and with at most 1,000 repetitions`;
}

/** The keywords that lead to a pattern. */
function placeOfPattern(value: unknown, pattern: string, path: readonly string[]): readonly string[] | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, item] of Object.entries(value)) {
    const here = [...path, name];
    const isPattern =
      (name === 'pattern' && item === pattern) || (path.at(-1) === 'patternProperties' && name === pattern);
    if (isPattern) return name === 'pattern' ? here : path;
    const inside = placeOfPattern(item, pattern, here);
    if (inside !== null) return inside;
  }
  return null;
}
