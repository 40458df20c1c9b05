import type { FastifyInstance, FastifySchema } from 'fastify';
import { z } from 'zod';
import type { ErrorCode } from '../../core/base/error-catalogue.ts';
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
 * Adds the errors that follow from the definition of each described route. A route without `security` is
 * public. Call it before the first route is added.
 */
export function addErrorResponses(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { method, config } = route;
    if (route.schema === undefined || route.schema.hide === true) return;
    const needsScope = config?.scope !== undefined && config.scope !== 'any';
    const schema = needsScope ? withKey(route.schema) : route.schema;
    const whileDraining = config?.whileDraining === true;
    const needsProof = config?.fresh === true;
    const isBelowV1 = route.url.startsWith('/v1/');
    const codes = deriveErrorCodes({
      ...{ method, schema, whileDraining, needsProof, needsScope, isBelowV1 },
    });
    route.schema = withErrors(schema, codes);
  });
}

/** An operator route that names a scope takes API keys, too. */
function withKey(schema: FastifySchema): FastifySchema {
  const { security = [] } = schema;
  return security.some((scheme) => 'apiKey' in scheme)
    ? schema
    : { ...schema, security: [...security, { apiKey: [] }] };
}

function withErrors(schema: FastifySchema, derived: ReturnType<typeof deriveErrorCodes>): FastifySchema {
  const declared = responsesSchema.parse(schema.response ?? {});
  const codes = Object.values(declared).flatMap(declaredErrorCodes);
  // A route keeps the responses that it describes itself.
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
  /** True if the route is served while the server drains. */
  readonly whileDraining: boolean;
  readonly needsProof: boolean;
  readonly needsScope: boolean;
  /** Whether the route reads X-Parley-Simulate and looks at the names of fields. */
  readonly isBelowV1: boolean;
}

/** Errors that any request can cause, on every route. */
const commonCodes = ['malformed_request', 'receive_timeout', 'headers_too_large', 'internal_error'] as const;

/** Errors of a request body that the route does not use: the framework parses it anyway. */
const unexpectedBodyCodes = ['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const;

const bodylessMethods = ['GET', 'HEAD'];

/** Returns the error codes that follow from the method, the security and the schemas of a route. */
function deriveErrorCodes({
  method,
  schema,
  whileDraining,
  needsProof,
  needsScope,
  isBelowV1,
}: DescribedRoute): ErrorCode[] {
  const { body, params, querystring, security = [] } = schema;
  const schemes = security.flatMap((scheme) => Object.keys(scheme));
  return [
    ...commonCodes,
    ...(whileDraining ? [] : (['deploying'] as const)),
    ...(schemes.includes('apiKey') ? keyErrors : []),
    ...(schemes.includes('adminToken') ? operatorErrors : []),
    ...(needsProof ? (['proof_required'] as const) : []),
    ...(needsScope ? (['insufficient_scope'] as const) : []),
    ...(isBelowV1 ? (['invalid_simulation', 'test_key_required'] as const) : []),
    ...(schemes.includes('visitorSession') ? visitorErrors : []),
    ...([method].flat().some((name) => !bodylessMethods.includes(name)) ? unexpectedBodyCodes : []),
    ...(isZodSchema(params) ? parameterCodes(params) : []),
    ...(isZodSchema(querystring) ? queryCodes(querystring) : []),
    ...(isZodSchema(body) ? [...bodyErrors, ...fieldCodes(body).codes] : []),
    ...(isBelowV1 && (isZodSchema(body) || isZodSchema(querystring)) ? (['unknown_field'] as const) : []),
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

/** Returns the codes that refinements anywhere in a schema set with `withErrorCode`. */
function refinementCodes(schema: Schema): ErrorCode[] {
  const { def } = schema._zod;
  const own = (def.checks ?? []).flatMap((check) => {
    const code = namingCheck.safeParse(check._zod.def).data?.params.code;
    return findErrorCode(code) ?? [];
  });
  return [...own, ...childSchemas(schema).flatMap(refinementCodes)];
}

/**
 * Returns the codes of the fields of an object schema. `lacking` is true if at least one field is required.
 */
function fieldCodes(schema: Schema): { readonly codes: ErrorCode[]; readonly lacking: boolean } {
  const fields = schemaFields(schema);
  const codes = fields.map(([name]) => findErrorCode(`invalid_${name}`) ?? 'invalid_body');
  const lacking = fields.some(([, field]) => field._zod.optin === undefined);
  return { codes: [...codes, ...refinementCodes(schema)], lacking };
}

/**
 * Returns the codes of path parameters. They are strings that are always present, so only parameters with
 * further rules can be invalid.
 */
function parameterCodes(schema: Schema): ErrorCode[] {
  const constrained = schemaFields(schema).filter(([, field]) => !isPlainString(field));
  return [
    ...constrained.flatMap(([name]) => findErrorCode(`invalid_${name}`) ?? []),
    ...refinementCodes(schema),
  ];
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

/** Returns the direct child schemas of a schema of any kind. */
function childSchemas(schema: Schema): Schema[] {
  const children = Object.entries(schema._zod.def).flatMap(([name, value]) =>
    name === 'checks' ? [] : [value],
  );
  return children.flatMap((value) =>
    isCoreSchema(value) ? [value] : isObject(value) ? Object.values(value).filter(isCoreSchema) : [],
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isCoreSchema(value: unknown): value is Schema {
  return value instanceof z.core.$ZodType;
}
