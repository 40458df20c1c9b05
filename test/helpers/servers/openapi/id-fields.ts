import { z } from 'zod';
import type { ApiOperation } from './api-operations.ts';

const methodSchema = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** A field of a request that names an object. */
export interface IdField {
  readonly method: z.output<typeof methodSchema>;
  readonly path: string;
  readonly where: 'path' | 'query' | 'body';
  /** The name; in a body with the names of the objects around it, such as `filters.assignee`. */
  readonly name: string;
  /** Returns a body that passes the validation, if the operation needs one. */
  readonly sample: () => object | undefined;
}

/**
 * A field is an id if its name says so (`id`, `ids`, `…_id`, `…_ids`), if its description speaks of an id, if its pattern begins
 * with the prefix of one, or if it is one of the names that stand for an object without saying so.
 */
const idName = /(?:^|_)ids?$/;
const idDescription = /\bids? of\b/i;
const idPattern = /^\^(?:\(\?:[a-z|]*)?(?:ws|chan|conv|doc|msg|per|src|key|hook|skill|snip|view|note|file)_/;
const otherNames = [
  'parent',
  'owner',
  'workspaces',
  'mentions',
  'assignee',
  'assign',
  'resend_of',
  'shareable_with',
];

const schemaOf = z.object({
  $ref: z.string().optional(),
  type: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  pattern: z.string().optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  examples: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).default([]),
  oneOf: z.array(z.unknown()).default([]),
  allOf: z.array(z.unknown()).default([]),
});
type Schema = z.output<typeof schemaOf>;
type Schemas = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 8;

/** Returns every field of every operation that takes an id. */
export function findIdFields(operations: readonly ApiOperation[], schemas: Schemas): readonly IdField[] {
  return operations.flatMap((operation) => {
    const bodies = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema);
    const shared = {
      method: methodSchema.parse(operation.method.toUpperCase()),
      path: operation.path,
      sample: () => (bodies[0] === undefined ? undefined : sampleObject(bodies[0], schemas)),
    };
    const parameters = operation.parameters.flatMap(({ name, in: where, schema }) =>
      where !== 'header' && isId(name, resolve(schema, schemas)) ? [{ ...shared, where, name }] : [],
    );
    const inBody = new Set(bodies.flatMap((body) => namesIn(body, schemas, [])));
    return [...parameters, ...[...inBody].map((name) => ({ ...shared, where: 'body' as const, name }))];
  });
}

function isId(name: string, { description = '', pattern = '' }: Schema): boolean {
  return (
    idName.test(name) ||
    otherNames.includes(name) ||
    idDescription.test(description) ||
    idPattern.test(pattern)
  );
}

function resolve(input: unknown, schemas: Schemas): Schema {
  const schema = schemaOf.parse(input ?? {});
  if (schema.$ref === undefined) return schema;
  return resolve(schemas[schema.$ref.replace('#/components/schemas/', '')], schemas);
}

function namesIn(input: unknown, schemas: Schemas, around: readonly string[]): readonly string[] {
  if (around.length > MAX_DEPTH) return [];
  const { properties, items, anyOf, oneOf, allOf } = resolve(input, schemas);
  const named = Object.entries(properties).flatMap(([name, field]) => [
    ...(isId(name, resolve(field, schemas)) ? [[...around, name].join('.')] : []),
    ...namesIn(field, schemas, [...around, name]),
  ]);
  const inside = [...(items === undefined ? [] : [items]), ...anyOf, ...oneOf, ...allOf];
  return [...named, ...inside.flatMap((each) => namesIn(each, schemas, around))];
}

/** Returns the first example, or the required fields with the smallest valid values. */
function sampleObject(input: unknown, schemas: Schemas): object {
  const schema = resolve(input, schemas);
  const example = z.looseObject({}).safeParse(schema.examples?.[0]);
  if (example.success) return example.data;
  const [first] = [...schema.anyOf, ...schema.oneOf];
  if (first !== undefined) return sampleObject(first, schemas);
  const parts = [schema, ...schema.allOf.map((each) => resolve(each, schemas))];
  const required = parts.flatMap((part) =>
    Object.entries(part.properties).filter(([name]) => part.required.includes(name)),
  );
  // A change needs at least one field.
  const chosen = required.length > 0 ? required : Object.entries(schema.properties).slice(0, 1);
  return Object.fromEntries(chosen.map(([name, field]) => [name, sampleValue(field, schemas)]));
}

function sampleValue(input: unknown, schemas: Schemas): unknown {
  const schema = resolve(input, schemas);
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [choice] = [...schema.anyOf, ...schema.oneOf];
  if (choice !== undefined) return sampleValue(choice, schemas);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'array') return schema.items === undefined ? [] : [sampleValue(schema.items, schemas)];
  if (type === 'object' || Object.keys(schema.properties).length > 0) return sampleObject(schema, schemas);
  if (schema.format === 'email') return 'a@example.com';
  if (schema.format === 'uri') return 'https://example.com/';
  if (schema.format === 'date-time') return '2040-01-01T00:00:00Z';
  return 'sample';
}
