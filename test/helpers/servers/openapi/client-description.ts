import type { OpenAPI3 } from 'openapi-typescript';
import { z } from 'zod';

/** The operations that the client calls, with the names of what they take and return. */
const operations = {
  query: { body: 'QueryRequest', result: 'QueryResponse' },
  listConversations: { query: 'ConversationFilters', result: 'ConversationPage' },
  listMessages: { result: 'MessagePage' },
  updateConversation: { body: 'ConversationChange', result: 'ConversationView' },
  addNote: { body: 'NewNote', result: 'Note' },
  giveFeedback: { body: 'NewFeedback', result: 'Message' },
  replyAsAgent: { body: 'NewReply', result: 'AgentReply' },
  addDocument: { body: 'NewDocument', result: 'Document' },
  uploadDocument: { form: 'DocumentFile' },
  listDocuments: { query: 'DocumentFilters', result: 'DocumentPage' },
  search: { body: 'SearchRequest', result: 'SearchResponse' },
  getKeyOwner: { result: 'KeyOwner' },
} as const;

interface Names {
  readonly body?: string;
  readonly form?: string;
  readonly query?: string;
  readonly result?: string;
}

/** Schemas that no operation of the list above names itself. */
const further = ['FinalFrame', 'StatusFrame', 'Conversation', 'ListedDocument'];
/** Parameters that the client sets itself. */
const ownParameters = new Set(['workspace_id', 'cursor']);

const record = z.record(z.string(), z.unknown());
const described = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: record }),
});
const content = z.record(z.string(), z.object({ schema: record }));
const parameter = z.object({
  name: z.string(),
  in: z.string(),
  schema: record,
  description: z.string().optional(),
});
const operation = z.object({
  operationId: z.string(),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ content: content.optional() }).loose()),
});

/**
 * Returns a description with nothing but the schemas that the client's types are made of, with fields in camel case. The fields
 * within `metadata` have no schema, and so keep their names.
 */
export function toClientDescription(description: unknown): OpenAPI3 {
  const { paths, components: all } = described.parse(description);
  const schemas: Record<string, unknown> = {};
  for (const candidate of Object.values(paths).flatMap((path) => Object.values(path))) {
    const { data } = operation.safeParse(candidate);
    if (data === undefined) continue;
    const names: Names | undefined = Object.entries(operations).find(([id]) => id === data.operationId)?.[1];
    if (names === undefined) continue;
    const body = data.requestBody?.content ?? {};
    const result = data.responses['200'] ?? data.responses['201'];
    const named: readonly (readonly [string | undefined, unknown])[] = [
      [names.body, body['application/json']?.schema],
      [names.form, body['multipart/form-data']?.schema],
      [names.result, result?.content?.['application/json']?.schema],
      [names.query, querySchema(data.parameters)],
    ];
    for (const [name, schema] of named) if (name !== undefined) schemas[name] = resolve(schema, all);
  }
  for (const name of further) schemas[name] = all.schemas[name];
  addReferenced(schemas, all.schemas);
  const components: NonNullable<OpenAPI3['components']> = JSON.parse(JSON.stringify(camel({ schemas })));
  return { openapi: '3.1.0', info: { title: 'Parley', version: '1' }, paths: {}, components };
}

/** An operation that returns a named schema has the schema itself under the client's name. */
function resolve(schema: unknown, { schemas }: { readonly schemas: Readonly<Record<string, unknown>> }) {
  const [reference] = referencesIn(schema);
  const isReference = z.object({ $ref: z.string() }).safeParse(schema).success;
  return isReference && reference !== undefined ? schemas[reference] : schema;
}

function querySchema(parameters: readonly z.output<typeof parameter>[]): object {
  const own = parameters.filter((given) => given.in === 'query' && !ownParameters.has(given.name));
  const properties = own.map(({ name, schema, description }) => [
    name,
    description === undefined ? schema : { ...schema, description },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function addReferenced(schemas: Record<string, unknown>, all: Readonly<Record<string, unknown>>): void {
  const missing = Object.values(schemas)
    .flatMap(referencesIn)
    .filter((name) => schemas[name] === undefined);
  if (missing.length === 0) return;
  for (const name of missing) schemas[name] = all[name];
  addReferenced(schemas, all);
}

function referencesIn(schema: unknown): readonly string[] {
  const found = JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w{1,100})"/gu);
  return [...found].flatMap(([, name]) => name ?? []);
}

/** Renames the properties of all schemas in `value`, and what is required of them. */
function camel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camel);
  const fields = record.safeParse(value).data;
  if (fields === undefined || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => {
      if (key === 'required') return [key, z.array(z.string()).parse(field).map(camelName)];
      if (key !== 'properties') return [key, camel(field)];
      const properties = Object.entries(record.parse(field));
      return [key, Object.fromEntries(properties.map(([name, schema]) => [camelName(name), camel(schema)]))];
    }),
  );
}

function camelName(name: string): string {
  return name.replace(/_([a-z0-9])/gu, (_whole, letter: string) => letter.toUpperCase());
}
