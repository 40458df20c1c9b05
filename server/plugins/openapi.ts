import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import manifest from '../../package.json' with { type: 'json' };

const zodToJsonConfig = { unrepresentable: 'any' } as const;

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
    transformObject: createJsonSchemaTransformObject({ zodToJsonConfig }),
  });
  app.register(async (scope) => {
    scope.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  });
}
