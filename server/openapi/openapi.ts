import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { type CompressedBody, compressBody, sendCompressed } from '../compressed-body.ts';
import { apiInformation } from './api-information.ts';
import { completeDescription } from './complete-description.ts';
import { describeOpenly } from './describe-openly.ts';
import { nullableFields } from './nullable-fields.ts';

const zodToJsonConfig = { unrepresentable: 'any', override: describeOpenly } as const;
const describeRoute = createJsonSchemaTransform({ zodToJsonConfig });
const withComponents = createJsonSchemaTransformObject({ zodToJsonConfig });

/**
 * Describes the routes at /openapi.json (OpenAPI 3.1), from the schemas that validate them. `publicUrl` is where the
 * world reaches this server, when that is known.
 */
export function openapi(app: FastifyInstance, publicUrl: string | undefined): void {
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
      const described = withComponents(document);
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
