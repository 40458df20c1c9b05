import type { JsonSchema } from '../../contract/skill.ts';
import { AppError } from '../../errors.ts';
import { parametersValidator } from './parameters-validator.ts';

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
    parametersValidator(parameters)({});
    return null;
  } catch (error) {
    if (error instanceof RangeError) return 'they are nested too deeply, or refer to themselves without end';
    if (error instanceof Error) return error.message.replace(/^strict mode: /, '').replace(/\.$/, '');
    throw error;
  }
}
