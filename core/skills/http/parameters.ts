import { createContext, Script } from 'node:vm';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { RE2JS, RE2JSException } from 're2js';
import { z } from 'zod';
import type { JsonSchema } from '../../contract/skill.ts';
import { AppError } from '../../errors.ts';
import type { HttpSkillRecord } from './http-skill-record.ts';

const requireParametersMaxBytes = 16 * 1024;
const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Throws `invalid_parameters`, and says what is wrong with them. */
export function requireParameters(parameters: JsonSchema): void {
  const fault = findSchemaFault(parameters);
  if (fault !== null) throw new AppError('invalid_parameters', { detail: `parameters: ${fault}.` });
}

function findSchemaFault(parameters: JsonSchema): string | null {
  if (Buffer.byteLength(JSON.stringify(parameters)) > requireParametersMaxBytes)
    return 'they are larger than 16 KB';
  if (parameters.type !== 'object') return 'type must be "object"';
  const { $schema = dialect } = parameters;
  if (String($schema).replace(/#$/, '') !== dialect) return `$schema must be "${dialect}", or absent`;
  // Such a schema is answered with a promise, which would pass for a yes.
  if (parameters.$async !== undefined) return '$async is not taken';
  const reference = foreignReference(parameters);
  if (reference !== null) return `$ref "${reference}" must point into this schema and begin with #`;
  return findCompileFault(parameters);
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

function findCompileFault(parameters: JsonSchema): string | null {
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

const argumentsSchema = z.record(z.string(), z.unknown());

const checkArgumentsMaxBytes = 64 * 1024;

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
  if (Buffer.byteLength(JSON.stringify(data)) > checkArgumentsMaxBytes) {
    return { finding: 'Not done: its arguments are longer than 64 KB together.' };
  }
  const faults = findFaults(parameters, data ?? {});
  if (faults.length === 0 && data !== null) return { given: data };
  return { finding: describeFaults(faults) };
}

/** By their JSON: to compile one takes 20 ms, and a skill is called again and again. */
const compiled = new LRUCache<string, ValidateFunction>({ max: 500 });

/** References may refer to one part again and again: a few of them can ask for more checks than there is time for. */
const longestMs = 2_000;
const codeSchema = z.object({ code: z.string() });
const script = new Script('run()');
const context = createContext({ run: (): void => {} });

/** What checking took too long. */
export class SlowSchemaError extends Error {
  override readonly name = 'SlowSchemaError';
}

/**
 * What is wrong with arguments by a schema; nothing where they fit. Throws an Error that says what is wrong with the
 * schema, a PatternError for a pattern that is not linear, and a SlowSchemaError where checking takes longer than two
 * seconds. Formats are not checked, as JSON Schema says of them where nothing else was agreed on.
 */
function findFaults(parameters: JsonSchema, given: unknown): readonly ErrorObject[] {
  const validate = validatorFor(parameters);
  return withinTime(() => (validate(given) ? [] : (validate.errors ?? [])));
}

function validatorFor(parameters: JsonSchema): ValidateFunction {
  const json = JSON.stringify(parameters);
  const known = compiled.get(json);
  if (known !== undefined) return known;
  // Each by itself: schemas of different workspaces may bear the same $id.
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
  compiled.set(json, validate);
  return validate;
}

/** Node ends a script that takes too long, with all that it called. */
function withinTime<Result>(work: () => Result): Result {
  const results: Result[] = [];
  context.run = () => void results.push(work());
  try {
    script.runInContext(context, { timeout: longestMs });
  } catch (error) {
    // The error is of the script's own realm, so that it is no Error here.
    if (codeSchema.safeParse(error).data?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new SlowSchemaError('To check arguments takes too long.', { cause: error });
    }
    throw error;
  }
  const [result] = results;
  if (result === undefined) throw new SlowSchemaError('Nothing was checked.');
  return result;
}

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
const MAX_FAULTS = 20;
const maxDescription = 300;

/** What is wrong with arguments, as a list of what a visitor has to be asked for. */
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
  const about = description === null ? '' : ` (${truncateAtWord(description, maxDescription)})`;
  return `- ${name}${about}${fault === null ? '' : `: what was given ${truncateAtWord(fault, maxDescription)}`}`;
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The beginning of a text, at most so many characters: to the end of a line or, where lines are long, of a word. */
export function truncateAtWord(text: string, max: number): string {
  const characters = Array.from(text);
  if (characters.length <= max) return text;
  const head = characters.slice(0, max - 1).join('');
  const end = [head.lastIndexOf('\n'), head.lastIndexOf(' ')].find((at) => at > head.length / 2);
  return `${head.slice(0, end).trimEnd()}…`;
}

/** A pattern that cannot be matched in time that grows with the text only. */
export class PatternError extends Error {
  readonly pattern: string;

  constructor(pattern: string, cause: unknown) {
    super(`The pattern ${JSON.stringify(pattern)} is not supported.`, { cause });
    this.name = 'PatternError';
    this.pattern = pattern;
  }
}

/**
 * What Ajv matches the patterns of a workspace with: whatever they and the text are, it takes linear time. Throws a
 * SyntaxError for what is no regular expression, and a PatternError for back references and look-around.
 */
function linearPattern(pattern: string, flags: string): RE2JS {
  // The engine below reads some of what JavaScript refuses, and means something else by it.
  new RegExp(pattern, flags);
  try {
    if (/\\k</u.test(pattern)) throw new PatternError(pattern, 'back reference');
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    if (error instanceof RE2JSException) throw new PatternError(pattern, error);
    throw error;
  }
}

/** Ajv writes it into code that it only prints, which nobody here does. */
linearPattern.code = 'linearPattern';
