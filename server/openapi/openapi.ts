import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { JSONSchema } from 'zod/v4/core';
import manifest from '../../package.json' with { type: 'json' };
import { type CompressedBody, compressBody, sendCompressed } from '../plugins/compression.ts';
import { completeDescription } from './complete-description.ts';
import { nullableFields } from './nullable-fields.ts';

const zodToJsonConfig = { unrepresentable: 'any', override: relaxJsonSchema } as const;
const describeRoute = createJsonSchemaTransform({ zodToJsonConfig });
const transformComponents = createJsonSchemaTransformObject({ zodToJsonConfig });

/**
 * Describes the routes at /openapi.json (OpenAPI 3.1), from the schemas that validate them. `publicUrl` is where the
 * world reaches this server, when that is known.
 */
export function openapiRoute(app: FastifyInstance, publicUrl: string | undefined): void {
  app.register(swagger, {
    openapi: apiInformation(publicUrl),
    stripBasePath: false,
    transform(route) {
      const described = describeRoute(route);
      const { body } = described.schema;
      // A form has no null: a field is there or it is not.
      const isForm = described.schema.consumes?.every((type) => type === 'multipart/form-data') ?? false;
      if (!isSchema(body) || isForm) return described;
      return { ...described, schema: { ...described.schema, body: nullableFields(body) } };
    },
    transformObject(document) {
      const described = transformComponents(document);
      const schemas = ('components' in described && described.components?.schemas) || {};
      // What has a name is only ever answered with: the same schemas as input are referred to by nothing.
      for (const name of Object.keys(schemas)) if (name.endsWith('Input')) delete schemas[name];
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

function isSchema(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/**
 * Takes from a description what is true today and no promise: that no field will ever be added, where JavaScript's
 * integers end, and the pattern by which a known format is checked. Generated clients compile patterns without the flags
 * that ours have.
 */
function relaxJsonSchema({ jsonSchema }: { readonly jsonSchema: JSONSchema.BaseSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

const description = `Parley answers questions from the documents of a workspace, with sources, and says so when they hold no answer.

**Keys.** Everything under \`/v1\` takes \`Authorization: Bearer <API_KEY>\`, everything under \`/admin/v1\` the operator's token.

**Errors.** Every answer that is not 2xx is an \`Error\`: branch on its \`code\`. A path that is not described here answers
\`404 route_not_found\`, a method that is not described here \`405 method_not_allowed\` with the header \`Allow\`.

**Retries.** After a 4xx other than 429, never with the same request. After a 429, wait as long as \`Retry-After\` says.
After a 5xx, with exponential backoff and jitter, at most 5 times. Send an \`Idempotency-Key\` where one is taken, and a
retry is answered with the first answer.

**Tolerance.** Unknown fields of a request are ignored, and answers may gain fields: ignore those that you do not know.`;

/** What the description says of the API as a whole; `publicUrl` is where the world reaches it, when that is known. */
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
      { name: 'Query', description: 'Questions, and their answers with sources.' },
      { name: 'Conversations', description: 'What was said, by whom, and what became of it.' },
      {
        name: 'Public agent',
        description: 'What any agent may ask a workspace whose owner allows it, without a key.',
      },
      {
        name: 'Widget',
        description:
          'What the widget and the hosted page call, and what a chat of your own may call: from the browser, with the public token of a workspace and the session of a visitor.',
      },
      {
        name: 'Operator',
        description: 'Workspaces, keys, documents and channels, with the operator’s token.',
      },
      { name: 'Health', description: 'How this server is.' },
    ],
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of a workspace.' },
        visitorSession: { type: 'http', scheme: 'bearer', description: 'The session of a visitor.' },
        adminToken: { type: 'http', scheme: 'bearer', description: "The operator's token." },
      },
    },
  };
}
