import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { JSONSchema } from 'zod/v4/core';
import manifest from '../../package.json' with { type: 'json' };
import { type CompressedBody, compressBody, sendCompressed } from '../plugins/compression.ts';
import { completeDescription } from './complete-description.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

const zodToJsonConfig = { unrepresentable: 'any', override: relaxJsonSchema } as const;
const describeRoute = createJsonSchemaTransform({ zodToJsonConfig });
const transformComponents = createJsonSchemaTransformObject({ zodToJsonConfig });

/**
 * Serves the OpenAPI 3.1 document at /openapi.json, generated from the schemas that validate the routes.
 * `publicUrl` is the public URL of this server, if configured.
 */
export function openapiRoute(app: FastifyInstance, publicUrl: string | undefined): void {
  app.register(swagger, {
    openapi: apiInformation(publicUrl),
    stripBasePath: false,
    transform(route) {
      const described = withPermission(describeRoute(route), route.route.config);
      const { body } = described.schema;
      // Form fields cannot be null, only present or absent.
      const isForm = described.schema.consumes?.every((type) => type === 'multipart/form-data') ?? false;
      if (!isSchema(body) || isForm) return described;
      return { ...described, schema: { ...described.schema, body: nullableFields(body) } };
    },
    transformObject(document) {
      const described = transformComponents(document);
      const schemas = ('components' in described && described.components?.schemas) || {};
      // Named schemas occur only in responses, so nothing refers to their input variants.
      // Sorted, because they come in the order in which modules were loaded.
      for (const [name, schema] of Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1))) {
        delete schemas[name];
        if (!name.endsWith('Input')) schemas[name] = schema;
      }
      return described;
    },
  });
  let description: Promise<CompressedBody> | undefined;
  app.register(async (scope) => {
    scope.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
      description ??= compressBody(JSON.stringify(completeDescription(app.swagger())), { brotliQuality: 9 });
      reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache');
      return sendCompressed(request, reply, await description);
    });
  });
}

/**
 * Names what a person needs, the permission as `x-permission` and a fresh proof as `x-proof`, and the scope that an API key needs
 * as `x-scope`.
 */
function withPermission<Described extends { readonly schema: object }>(
  described: Described,
  { permission, fresh, scope }: FastifyContextConfig = {},
): Described {
  const needed = {
    ...(permission !== undefined && { 'x-permission': permission }),
    ...(fresh === true && { 'x-proof': 'fresh' }),
    ...(scope !== undefined && scope !== 'any' && { 'x-scope': scope }),
  };
  return { ...described, schema: { ...described.schema, ...needed } };
}

/**
 * Returns the JSON schema of a request body as clients may send it: every optional field may also be null, at
 * any depth. Validation treats null and absent alike (`withoutAbsentNulls`).
 */
function nullableFields(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, allOf } = schema;
  const required = Array.isArray(schema.required) ? schema.required : [];
  return {
    ...schema,
    ...(isSchema(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => {
          if (!isSchema(field)) return [name, field];
          const inside = nullableFields(field);
          return [name, required.includes(name) ? inside : orNull(inside)];
        }),
      ),
    }),
    ...(isSchema(items) && { items: nullableFields(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(nullableOption) }),
    ...(Array.isArray(allOf) && { allOf: allOf.map(nullableOption) }),
  };
}

function nullableOption(option: unknown): unknown {
  return isSchema(option) ? nullableFields(option) : option;
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf } = schema;
  if (JSON.stringify([type, anyOf]).includes('"null"')) return schema;
  if (typeof type === 'string') {
    const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
    return { ...schema, type: [type, 'null'], ...values };
  }
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  const { description, default: fallback, ...rest } = schema;
  const annotations = {
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
  };
  return { ...annotations, anyOf: [rest, { type: 'null' }] };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}

/**
 * Removes statements from a JSON schema that are true today but not promised: that no field will be added,
 * the limits of JavaScript's integers, and the patterns behind known formats. Generated clients compile
 * patterns without the flags that ours need.
 */
function relaxJsonSchema({ jsonSchema }: { readonly jsonSchema: JSONSchema.BaseSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

const description = `Parley answers questions from the documents of a workspace, with sources, and says so if they contain no answer.

**Keys.** Routes under \`/v1\` require \`Authorization: Bearer <API_KEY>\`, routes under \`/admin/v1\` require the operator's
token, or the session of a person whose role allows it. An operation with \`x-scope\` needs that scope of a key: without it the
response is \`403 insufficient_scope\`. Routes under \`/admin/v1\` with \`x-scope\` take a key too, for the workspace in the path,
count in its limits and return its \`X-RateLimit-…\` headers.

**Errors.** Every response that is not 2xx is an \`Error\`: branch on its \`code\`. A path that is not described here returns
\`404 route_not_found\`. A method that is not described here returns \`405 method_not_allowed\` with the header \`Allow\`.

**Retries.** After a 4xx other than 429, do not send the same request again. After a 429, wait for the seconds in \`Retry-After\`.
After a 5xx, retry with exponential backoff and jitter, at most 5 times. Send an \`Idempotency-Key\` where it is supported: a
retry then returns the first response.

**Tolerance.** Unknown fields of a request are ignored, and responses may gain fields: ignore unknown ones.`;

/** The general part of the OpenAPI document. `publicUrl` is the public URL of this server, if configured. */
function apiInformation(publicUrl: string | undefined): NonNullable<FastifyDynamicSwaggerOptions['openapi']> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: manifest.version,
      summary: manifest.description,
      description,
      contact: { name: 'The operator of this installation' },
      license: { name: manifest.license, identifier: manifest.license },
    },
    servers: [{ url: publicUrl ?? '/', description: 'This server.' }],
    tags: [
      { name: 'Query', description: 'Questions, and answers with their sources.' },
      { name: 'Conversations', description: 'Conversations with their messages, notes and changes.' },
      { name: 'Keys', description: 'What an API key belongs to.' },
      {
        name: 'Public agent',
        description:
          'Questions that any agent can ask without a key, if the owner of the workspace allows it.',
      },
      {
        name: 'Widget',
        description:
          'Used by the widget and the hosted page, and available to your own chat: called from the browser with the public token of a workspace and the session of a visitor.',
      },
      {
        name: 'Operator',
        description: 'Workspaces, keys, documents and channels. Requires the operator’s token.',
      },
      { name: 'Health', description: 'The state of this server.' },
    ],
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of a workspace.' },
        visitorSession: { type: 'http', scheme: 'bearer', description: 'The session of a visitor.' },
        adminToken: { type: 'http', scheme: 'bearer', description: "The operator's token." },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'parley',
          description:
            'The session of a person who is signed in to the dashboard (`__Host-parley` over https).',
        },
      },
    },
  };
}
