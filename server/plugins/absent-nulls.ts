import type { FastifySchemaCompiler } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';

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
