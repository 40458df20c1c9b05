import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import { toStorableValue } from '../../core/text.ts';

/** Deeper than people nest anything; what walks through a value takes a place on the stack for each level. */
const maxDepth = 500;

/** Bodies are JSON and nothing else, unless a route says otherwise. */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    // Many clients name a content type on every request, also on one that has no body to describe.
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
  return new AppError('invalid_body', { detail: `The body is nested more than ${maxDepth} levels deep.` });
}

/** Whether arrays and objects in valid JSON stand more than `most` deep inside each other. */
export function isDeeperThan(json: string, most: number): boolean {
  if (json.length <= most) return false;
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
    if (depth > most) return true;
  }
  return false;
}

/** What query strings hold is made `storable` before it is looked at, as what bodies hold is. */
export function cleanQueryStrings(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    request.query = toStorableValue(request.query, JSON.stringify(request.query));
  });
}

type Schema = z.core.$ZodType;

/** Validates requests as the type provider does, after removing nulls from fields of the body that may be absent. */
export const compileValidator: FastifySchemaCompiler<z.ZodType> = (route) => {
  const validate = validatorCompiler(route);
  if (route.httpPart !== 'body') return validate;
  return (body) => validate(withoutAbsentNulls(route.schema, body));
};

/**
 * `input` without the fields that are null, where `schema` lets a field be absent and does not itself take null: many
 * clients serialize an absent value as null. What `schema` does not describe, such as metadata, stays as it is.
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

const decided = new WeakMap<Schema, boolean>();

function isAbsentWhenNull(field: Schema): boolean {
  const known = decided.get(field);
  if (known !== undefined) return known;
  const isAbsent = field._zod.optin !== undefined && !z.core.safeParse(field, null).success;
  decided.set(field, isAbsent);
  return isAbsent;
}

/** The first schema of a kind that `schema` is, wraps or has among its options. */
function findPart<Kind extends Schema>(
  schema: Schema,
  kind: abstract new (...args: never) => Kind,
): Kind | undefined {
  if (schema instanceof kind) return schema;
  for (const part of wrapped(schema)) {
    const found = findPart(part, kind);
    if (found !== undefined) return found;
  }
  return undefined;
}

function wrapped(schema: Schema): readonly Schema[] {
  if (schema instanceof z.core.$ZodUnion) return schema._zod.def.options;
  if (schema instanceof z.core.$ZodPipe) return [schema._zod.def.in, schema._zod.def.out];
  if (schema instanceof z.core.$ZodOptional) return [schema._zod.def.innerType];
  if (schema instanceof z.core.$ZodNullable) return [schema._zod.def.innerType];
  if (schema instanceof z.core.$ZodDefault) return [schema._zod.def.innerType];
  return [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
