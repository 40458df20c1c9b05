import type { FastifyInstance, FastifySchema } from 'fastify';
import { z } from 'zod';
import type { ErrorCode } from '../../core/errors.ts';
import {
  bodyErrors,
  declaredErrorCodes,
  errorResponses,
  findErrorCode,
  keyErrors,
  operatorErrors,
  visitorErrors,
} from '../schemas/responses.ts';

const responsesSchema = z.record(z.string(), z.unknown());

/**
 * Adds to every described route the errors that follow from what it takes; one that names no security is open to
 * anybody. Call it before the first route is added.
 */
export function addErrorResponses(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { schema, method, config } = route;
    if (schema === undefined || schema.hide === true) return;
    const whileDraining = config?.whileDraining === true;
    route.schema = withErrors(schema, deriveErrorCodes({ method, schema, whileDraining }));
  });
}

function withErrors(schema: FastifySchema, derived: ReturnType<typeof deriveErrorCodes>): FastifySchema {
  const declared = responsesSchema.parse(schema.response ?? {});
  const codes = Object.values(declared).flatMap(declaredErrorCodes);
  // A response that says more than the code is its route's own.
  const own = Object.entries(declared).filter(([, response]) => declaredErrorCodes(response).length === 0);
  return {
    ...schema,
    security: schema.security ?? [],
    response: { ...errorResponses(...codes, ...derived), ...Object.fromEntries(own) },
  };
}

interface DescribedRoute {
  readonly method: string | readonly string[];
  readonly schema: FastifySchema;
  /** Whether it is answered while the server drains. */
  readonly whileDraining: boolean;
}

/** What may go wrong with any request, whatever its route. */
const commonCodes = ['malformed_request', 'receive_timeout', 'headers_too_large', 'internal_error'] as const;

/** What may go wrong with a body that nobody asked for: it is read all the same. */
const unexpectedBodyCodes = ['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const;

const bodylessMethods = ['GET', 'HEAD'];

/** The codes that a route answers with because of what it takes: nobody has to list them. */
function deriveErrorCodes({ method, schema, whileDraining }: DescribedRoute): ErrorCode[] {
  const { body, params, querystring, security = [] } = schema;
  const schemes = security.flatMap((scheme) => Object.keys(scheme));
  return [
    ...commonCodes,
    ...(whileDraining ? [] : (['deploying'] as const)),
    ...(schemes.includes('apiKey') ? keyErrors : []),
    ...(schemes.includes('adminToken') ? operatorErrors : []),
    ...(schemes.includes('visitorSession') ? visitorErrors : []),
    ...([method].flat().some((name) => !bodylessMethods.includes(name)) ? unexpectedBodyCodes : []),
    ...(isZodSchema(params) ? parameterCodes(params) : []),
    ...(isZodSchema(querystring) ? queryCodes(querystring) : []),
    ...(isZodSchema(body) ? [...bodyErrors, ...fieldCodes(body).codes] : []),
  ];
}

function queryCodes(querystring: z.ZodType): ErrorCode[] {
  const { codes, lacking } = fieldCodes(querystring);
  return lacking ? ['missing_field', ...codes] : codes;
}

function isZodSchema(value: unknown): value is z.ZodType {
  return value instanceof z.ZodType;
}

type Schema = z.core.$ZodType;

const namingCheck = z.object({ params: z.object({ code: z.string() }) });

/** The codes that refinements anywhere in a schema choose for themselves (`answerWith`). */
function refinementCodes(schema: Schema): ErrorCode[] {
  const { def } = schema._zod;
  const own = (def.checks ?? []).flatMap((check) => {
    const code = namingCheck.safeParse(check._zod.def).data?.params.code;
    return findErrorCode(code) ?? [];
  });
  return [...own, ...childSchemas(schema).flatMap(refinementCodes)];
}

/** What input that is an object may be refused with by its schema, by field; `lacking` when a field is required. */
function fieldCodes(schema: Schema): { readonly codes: ErrorCode[]; readonly lacking: boolean } {
  const fields = schemaFields(schema);
  const codes = fields.map(([name]) => findErrorCode(`invalid_${name}`) ?? 'invalid_body');
  const lacking = fields.some(([, field]) => field._zod.optin === undefined);
  return { codes: [...codes, ...refinementCodes(schema)], lacking };
}

/**
 * The same for the parameters of a path, which are strings that are always there: only what is more than a string
 * can be wrong by itself.
 */
function parameterCodes(schema: Schema): ErrorCode[] {
  const choosy = schemaFields(schema).filter(([, field]) => !isPlainString(field));
  return [...choosy.flatMap(([name]) => findErrorCode(`invalid_${name}`) ?? []), ...refinementCodes(schema)];
}

function isPlainString(field: Schema): boolean {
  if (!(field instanceof z.ZodString)) return false;
  return (field._zod.def.checks ?? []).every((check) => namingCheck.safeParse(check._zod.def).success);
}

function schemaFields(schema: Schema): [string, Schema][] {
  return schema instanceof z.core.$ZodObject
    ? Object.entries(schema._zod.def.shape)
    : childSchemas(schema).flatMap(schemaFields);
}

/** The schemas that a schema is made of, whatever its kind. */
function childSchemas(schema: Schema): Schema[] {
  const held = Object.entries(schema._zod.def).flatMap(([name, value]) => (name === 'checks' ? [] : [value]));
  return held.flatMap((value) =>
    isCoreSchema(value) ? [value] : isObject(value) ? Object.values(value).filter(isCoreSchema) : [],
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isCoreSchema(value: unknown): value is Schema {
  return value instanceof z.core.$ZodType;
}
