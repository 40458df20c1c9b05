import type { FastifySchema } from 'fastify';
import { z } from 'zod';
import type { ErrorCode } from '../../core/errors.ts';
import { bodyErrors, keyErrors, operatorErrors, visitorErrors } from '../schemas/error-responses.ts';
import { fieldCodes, parameterCodes } from './schema-codes.ts';

export interface DescribedRoute {
  readonly method: string | readonly string[];
  readonly schema: FastifySchema;
  /** Whether it is answered while the server drains. */
  readonly whileDraining: boolean;
}

/** What may go wrong with any request, whatever its route. */
const always = ['malformed_request', 'receive_timeout', 'headers_too_large', 'internal_error'] as const;

/** What may go wrong with a body that nobody asked for: it is read all the same. */
const unwantedBody = ['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const;

const readsNoBody = ['GET', 'HEAD'];

/** The codes that a route answers with because of what it takes: nobody has to list them. */
export function derivedCodes({ method, schema, whileDraining }: DescribedRoute): ErrorCode[] {
  const { body, params, querystring, security = [] } = schema;
  const schemes = security.flatMap((scheme) => Object.keys(scheme));
  return [
    ...always,
    ...(whileDraining ? [] : (['deploying'] as const)),
    ...(schemes.includes('apiKey') ? keyErrors : []),
    ...(schemes.includes('adminToken') ? operatorErrors : []),
    ...(schemes.includes('visitorSession') ? visitorErrors : []),
    ...([method].flat().some((name) => !readsNoBody.includes(name)) ? unwantedBody : []),
    ...(isSchema(params) ? parameterCodes(params) : []),
    ...(isSchema(querystring) ? queryCodes(querystring) : []),
    ...(isSchema(body) ? [...bodyErrors, ...fieldCodes(body).codes] : []),
  ];
}

function queryCodes(querystring: z.ZodType): ErrorCode[] {
  const { codes, lacking } = fieldCodes(querystring);
  return lacking ? ['missing_field', ...codes] : codes;
}

function isSchema(value: unknown): value is z.ZodType {
  return value instanceof z.ZodType;
}
