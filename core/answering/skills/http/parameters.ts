import { createContext, Script } from 'node:vm';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { RE2JS, RE2JSException } from 're2js';
import { z } from 'zod';
import { AppError } from '../../../base/errors.ts';
import type { JsonSchema } from '../../../contract/skill.ts';
import type { HttpSkillRecord } from './http-skill-record.ts';

const MAX_SCHEMA_BYTES = 16 * 1024;
const SUPPORTED_DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Throws `invalid_parameters` with a description of the problem if a schema cannot be used. */
export function requireParameters(parameters: JsonSchema): void {
  const fault = findSchemaFault(parameters);
  if (fault !== null) throw new AppError('invalid_parameters', { detail: `parameters: ${fault}.` });
}

function findSchemaFault(parameters: JsonSchema): string | null {
  if (Buffer.byteLength(JSON.stringify(parameters)) > MAX_SCHEMA_BYTES) return 'they are larger than 16 KB';
  if (parameters.type !== 'object') return 'type must be "object"';
  const { $schema = SUPPORTED_DIALECT } = parameters;
  if (String($schema).replace(/#$/, '') !== SUPPORTED_DIALECT)
    return `$schema must be "${SUPPORTED_DIALECT}", or absent`;
  // The validator of an async schema returns a promise, which is always truthy.
  if (parameters.$async !== undefined) return '$async is not supported';
  const reference = foreignReference(parameters);
  if (reference !== null) return `$ref "${reference}" must point into this schema and begin with #`;
  return findCompileFault(parameters);
}

/** Returns the first reference that points out of the schema. */
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

function findCompileFault(parameters: JsonSchema): string | null {
  try {
    // A trial run finds circular references.
    findFaults(parameters, {});
    return null;
  } catch (error) {
    if (error instanceof PatternError) return describePattern(parameters, error.pattern);
    if (error instanceof SlowSchemaError)
      return 'they take too long to check; use fewer $ref that point to the same part';
    if (error instanceof RangeError) return 'they are nested too deeply, or refer to themselves without end';
    if (error instanceof Error) return error.message.replace(/^strict mode: /, '').replace(/\.$/, '');
    throw error;
  }
}

function describePattern(parameters: JsonSchema, pattern: string): string {
  const place = findPatternPath(parameters, pattern, [])?.join('.') ?? 'a pattern';
  return `${place} (${JSON.stringify(pattern)}) is not supported. Write it without back references, look-ahead, look-behind and scripts by name, and with at most 1,000 repetitions`;
}

/** Returns the path of keywords to a pattern. */
function findPatternPath(value: unknown, pattern: string, path: readonly string[]): readonly string[] | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, item] of Object.entries(value)) {
    const here = [...path, name];
    const isPattern =
      (name === 'pattern' && item === pattern) || (path.at(-1) === 'patternProperties' && name === pattern);
    if (isPattern) return name === 'pattern' ? here : path;
    const inside = findPatternPath(item, pattern, here);
    if (inside !== null) return inside;
  }
  return null;
}

const argumentsSchema = z.record(z.string(), z.unknown());

const MAX_ARGUMENTS_BYTES = 64 * 1024;

type CheckedArguments =
  | { readonly given: Readonly<Record<string, unknown>> }
  /** A text for the model: the arguments that the visitor must still provide or correct. */
  | { readonly finding: string };

/**
 * Validates the arguments of a call and returns them unchanged, or a description of their faults. Throws the errors of
 * `findFaults` for skills that were stored before their schema would have been refused.
 */
export function checkArguments({ parameters }: HttpSkillRecord, given: unknown): CheckedArguments {
  const { data = null } = argumentsSchema.safeParse(given ?? {});
  if (Buffer.byteLength(JSON.stringify(data)) > MAX_ARGUMENTS_BYTES) {
    return { finding: 'Not done: its arguments are longer than 64 KB together.' };
  }
  const faults = findFaults(parameters, data ?? {});
  if (faults.length === 0 && data !== null) return { given: data };
  return { finding: describeFaults(faults) };
}

/** Validators by the JSON of their schema. Compiling one takes 20 ms, and skills are called repeatedly. */
const validators = new LRUCache<string, ValidateFunction>({ max: 500 });

/** Nested references to the same part multiply the number of checks, so validation has a time limit. */
const MAX_CHECK_MS = 2_000;
const codeSchema = z.object({ code: z.string() });
const script = new Script('run()');
const context = createContext({ run: (): void => {} });

/** Validation exceeded the time limit. */
export class SlowSchemaError extends Error {
  override readonly name = 'SlowSchemaError';
}

/**
 * Validates arguments against a schema and returns the errors. Throws an Error that describes an invalid schema, a
 * PatternError for a pattern without linear-time matching, and a SlowSchemaError after two seconds. Formats are
 * annotations only, which is the default of JSON Schema.
 */
function findFaults(parameters: JsonSchema, given: unknown): readonly ErrorObject[] {
  const validate = validatorFor(parameters);
  return withinTime(() => (validate(given) ? [] : (validate.errors ?? [])));
}

function validatorFor(parameters: JsonSchema): ValidateFunction {
  const json = JSON.stringify(parameters);
  const cached = validators.get(json);
  if (cached !== undefined) return cached;
  // One Ajv instance per schema: schemas of different workspaces may use the same $id.
  const ajv = new Ajv2020({
    strictTypes: false,
    strictTuples: false,
    allErrors: true,
    verbose: true,
    validateFormats: false,
    logger: false,
    code: { regExp: linearPattern },
  });
  const validate = ajv.compile({ ...parameters });
  validators.set(json, validate);
  return validate;
}

/** Runs work with a time limit: `vm` interrupts a script after its timeout, including the functions that it calls. */
function withinTime<Result>(work: () => Result): Result {
  const results: Result[] = [];
  context.run = () => void results.push(work());
  try {
    script.runInContext(context, { timeout: MAX_CHECK_MS });
  } catch (error) {
    // The error belongs to the realm of the script, so `instanceof Error` is false.
    if (codeSchema.safeParse(error).data?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new SlowSchemaError('Checking the arguments takes too long.', { cause: error });
    }
    throw error;
  }
  const [result] = results;
  if (result === undefined) throw new SlowSchemaError('Nothing was checked.');
  return result;
}

interface Fault {
  /** Name of the argument, or path of a nested one such as `address.city`. */
  readonly name: string;
  readonly description: string | null;
  /** Null if the argument is missing. */
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

/** More than a visitor can be asked at once. */
const MAX_FAULTS = 20;
const MAX_DESCRIPTION_CHARACTERS = 300;

/** Renders validation errors for the model, as a list of arguments to ask the visitor for. */
function describeFaults(errors: readonly ErrorObject[]): string {
  if (errors.length === 0) return 'Not done: its arguments were not given by their names.';
  const faults = new Map<string, Fault>();
  for (const fault of errors.map(toFault)) {
    if (!faults.has(fault.name)) faults.set(fault.name, fault);
  }
  const lines = [...faults.values()].slice(0, MAX_FAULTS).map(formatFault);
  return ['Not done yet. What is still needed from the visitor:', ...lines].join('\n');
}

function toFault({ instancePath, params, message = 'does not fit', ...error }: ErrorObject): Fault {
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

function formatFault({ name, description, fault }: Fault): string {
  const about = description === null ? '' : ` (${truncateAtWord(description, MAX_DESCRIPTION_CHARACTERS)})`;
  return `- ${name}${about}${fault === null ? '' : `: what was given ${truncateAtWord(fault, MAX_DESCRIPTION_CHARACTERS)}`}`;
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Truncates a text to `max` characters, at the end of a line or, if lines are long, of a word. */
export function truncateAtWord(text: string, max: number): string {
  const characters = Array.from(text);
  if (characters.length <= max) return text;
  const head = characters.slice(0, max - 1).join('');
  const end = [head.lastIndexOf('\n'), head.lastIndexOf(' ')].find((at) => at > head.length / 2);
  return `${head.slice(0, end).trimEnd()}…`;
}

/** A pattern that cannot be matched in linear time. */
export class PatternError extends Error {
  readonly pattern: string;

  constructor(pattern: string, cause: unknown) {
    super(`The pattern ${JSON.stringify(pattern)} is not supported.`, { cause });
    this.name = 'PatternError';
    this.pattern = pattern;
  }
}

/**
 * Compiles the patterns of a workspace's schema for Ajv with RE2, which matches any pattern in linear time. Throws a
 * SyntaxError for an invalid regular expression, and a PatternError for back references and look-around.
 */
function linearPattern(pattern: string, flags: string): RE2JS {
  // RE2 accepts some syntax that JavaScript rejects, with another meaning.
  new RegExp(pattern, flags);
  try {
    if (/\\k</u.test(pattern)) throw new PatternError(pattern, 'back reference');
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    if (error instanceof RE2JSException) throw new PatternError(pattern, error);
    throw error;
  }
}

/** Ajv requires this field for generated standalone code, which is not used here. */
linearPattern.code = 'linearPattern';
