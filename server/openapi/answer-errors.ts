import type { FastifyInstance, FastifySchema } from 'fastify';
import { z } from 'zod';
import { answeredCodes, errorResponses } from '../schemas/error-responses.ts';
import { derivedCodes } from './derived-codes.ts';

const responsesSchema = z.record(z.string(), z.unknown());

/**
 * Adds to every described route the errors that follow from what it takes; one that names no security is open to
 * anybody. Call it before the first route is added.
 */
export function answerErrors(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { schema, method, config } = route;
    if (schema === undefined || schema.hide === true) return;
    const whileDraining = config?.whileDraining === true;
    route.schema = withErrors(schema, derivedCodes({ method, schema, whileDraining }));
  });
}

function withErrors(schema: FastifySchema, derived: ReturnType<typeof derivedCodes>): FastifySchema {
  const declared = responsesSchema.parse(schema.response ?? {});
  const codes = Object.values(declared).flatMap(answeredCodes);
  // A response that says more than the code is its route's own.
  const own = Object.entries(declared).filter(([, response]) => answeredCodes(response).length === 0);
  return {
    ...schema,
    security: schema.security ?? [],
    response: { ...errorResponses(...codes, ...derived), ...Object.fromEntries(own) },
  };
}
