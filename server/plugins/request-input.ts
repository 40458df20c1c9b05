import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError } from '../../core/base/errors.ts';
import { toStorableValue } from '../../core/base/text.ts';

/** Deeper than real data. Recursive functions use one stack frame per level. */
const maxDepth = 500;

/** Accepts JSON bodies only, unless a route registers other types. */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    // Many clients send a content type with every request, even without a body.
    if (text === '' && request.method === 'DELETE') {
      done(null, undefined);
      return;
    }
    return parse(request, text, (error, value) => {
      if (error) done(error);
      else if (isDeeperThan(text, maxDepth)) done(depthError());
      else done(null, toStorableValue(value, text));
    });
  });
}

function depthError(): AppError {
  return new AppError('invalid_body', {
    detail: `The body is nested more than ${maxDepth} levels deep. Send a flatter one.`,
  });
}

/** Returns whether arrays and objects in valid JSON are nested more than `max` levels deep. */
export function isDeeperThan(json: string, max: number): boolean {
  if (json.length <= max) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > max) return true;
  }
  return false;
}

/**
 * Makes query strings storable before validation, like bodies (`toStorableValue`). Parameters of the form `name[field]` become
 * an object.
 */
export function cleanQueryStrings(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    request.query = nestFields(toStorableValue(request.query, JSON.stringify(request.query)));
  });
}

const fieldPattern = /^(\w{1,64})\[([^[\]]{1,200})\]$/;

/** Returns the parameters of a query with `name[field]` as a field of the object `name`, one level deep. Pure. */
export function nestFields(query: unknown): unknown {
  const parameters = Object.entries(query ?? {});
  if (!parameters.some(([name]) => name.endsWith(']'))) return query;
  const objects = new Map<string, [string, unknown][]>();
  const others = parameters.filter(([name, value]) => {
    const [, object, field] = fieldPattern.exec(name) ?? [];
    if (object === undefined || field === undefined) return true;
    objects.set(object, [...(objects.get(object) ?? []), [field, value]]);
    return false;
  });
  return Object.fromEntries([
    ...others,
    ...[...objects].map(([name, fields]) => [name, Object.fromEntries(fields)] as const),
  ]);
}

type Schema = z.core.$ZodType;

/** Validates requests with their Zod schemas, after removing nulls from optional fields of the body. */
export const compileValidator: FastifySchemaCompiler<z.ZodType> = (route) => {
  const validate = validatorCompiler(route);
  if (route.httpPart !== 'body') return validate;
  return (body) => validate(withoutAbsentNulls(route.schema, body));
};

/**
 * Returns `input` without the fields that are null if `schema` makes them optional and does not accept null:
 * many clients serialise an absent value as null. Values that `schema` does not describe, such as metadata,
 * are unchanged.
 */
export function withoutAbsentNulls(schema: Schema, input: unknown): unknown {
  if (Array.isArray(input)) {
    const element = findPart(schema, z.core.$ZodArray)?._zod.def.element;
    return element === undefined ? input : input.map((item) => withoutAbsentNulls(element, item));
  }
  if (!isRecord(input)) return input;
  const shape = findPart(schema, z.core.$ZodObject)?._zod.def.shape;
  if (shape === undefined) return input;
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (field === undefined) return [[name, value]];
      if (value === null && isAbsentWhenNull(field)) return [];
      return [[name, withoutAbsentNulls(field, value)]];
    }),
  );
}

const cache = new WeakMap<Schema, boolean>();

function isAbsentWhenNull(field: Schema): boolean {
  const known = cache.get(field);
  if (known !== undefined) return known;
  const isAbsent = field._zod.optin !== undefined && !z.core.safeParse(field, null).success;
  cache.set(field, isAbsent);
  return isAbsent;
}

/** Returns the first schema of a kind that `schema` is, wraps or has among its options. */
export function findPart<Kind extends Schema>(
  schema: Schema,
  kind: abstract new (...args: never) => Kind,
  partsOf: (schema: Schema) => readonly Schema[] = wrappedOrOptions,
): Kind | undefined {
  if (schema instanceof kind) return schema;
  for (const part of partsOf(schema)) {
    const found = findPart(part, kind, partsOf);
    if (found !== undefined) return found;
  }
  return undefined;
}

function wrappedOrOptions(schema: Schema): readonly Schema[] {
  return schema instanceof z.core.$ZodUnion ? schema._zod.def.options : wrapped(schema);
}

/** Returns the schemas that a schema wraps, of which its values are certain. */
export function wrapped(schema: Schema): readonly Schema[] {
  if (schema instanceof z.core.$ZodPipe) return [schema._zod.def.in, schema._zod.def.out];
  if (schema instanceof z.core.$ZodOptional) return [schema._zod.def.innerType];
  if (schema instanceof z.core.$ZodNullable) return [schema._zod.def.innerType];
  if (schema instanceof z.core.$ZodDefault) return [schema._zod.def.innerType];
  return [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
