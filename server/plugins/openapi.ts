import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import manifest from '../../package.json' with { type: 'json' };
import { describeOpenly } from './describe-openly.ts';

const zodToJsonConfig = { unrepresentable: 'any', override: describeOpenly } as const;
const withComponents = createJsonSchemaTransformObject({ zodToJsonConfig });

/** Describes the routes at /openapi.json (OpenAPI 3.1), from the schemas that validate them. */
export function openapi(app: FastifyInstance): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Parley', version: manifest.version, description: manifest.description },
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of a workspace.' },
          adminToken: { type: 'http', scheme: 'bearer', description: "The operator's token." },
        },
      },
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig }),
    transformObject(document) {
      const described = withComponents(document);
      const schemas = ('components' in described && described.components?.schemas) || {};
      // What has a name is only ever answered with: the same schemas as input are referred to by nothing.
      for (const name of Object.keys(schemas)) if (name.endsWith('Input')) delete schemas[name];
      return described;
    },
  });
  app.register(async (scope) => {
    scope.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  });
}
