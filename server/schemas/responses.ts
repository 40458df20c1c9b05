import { z } from 'zod';
import { type ErrorCode, errorCatalogue } from '../../core/errors.ts';

/** For a schema's refinement: what fails it is answered with `code` instead of the field's own `invalid_…`. */
export function withErrorCode(code: ErrorCode) {
  return { params: { code } };
}

/** `name` as a code of the registry; undefined when it is none. */
export function findErrorCode(name: string | undefined): ErrorCode | undefined {
  return name !== undefined && isErrorCode(name) ? name : undefined;
}

function isErrorCode(name: string): name is ErrorCode {
  return Object.hasOwn(errorCatalogue, name);
}

/** The body of a 204: none. */
export const noContentSchema = z.undefined().meta({ type: 'null', description: 'Done.' });

/** What every error is answered with. */
export const errorBodySchema = z
  .object({
    detail: z.string().meta({ description: 'What is wrong, for people.' }),
    code: z.string().meta({ description: 'What is wrong, for programs: stable.' }),
    request_id: z.string().meta({ description: 'Also in the header X-Request-Id.' }),
  })
  .meta({ id: 'Error' });

type ErrorStatus = (typeof errorCatalogue)[ErrorCode]['status'];
type ErrorBody = ReturnType<typeof createBody>;
type ErrorResponses = Partial<Record<ErrorStatus, ErrorBody>>;

/** What a route that takes an API key answers. */
export const keyErrors = [
  'missing_auth',
  'malformed_auth',
  'invalid_key',
  'expired_key',
  'feature_not_in_plan',
  'rate_limit_minute',
  'rate_limit_day',
  'rate_limit_concurrent',
  'request_timeout',
] as const;

/** What a route that takes the operator's token answers. */
export const operatorErrors = ['missing_auth', 'malformed_auth', 'invalid_key', 'rate_limit_minute'] as const;

/** What a route that takes a visitor's session answers. */
export const visitorErrors = [
  'missing_auth',
  'malformed_auth',
  'invalid_session',
  'rate_limit_minute',
] as const;

/** What a route with a JSON body answers. */
export const bodyErrors = [
  'invalid_json',
  'invalid_body',
  'missing_field',
  'payload_too_large',
  'unsupported_media_type',
] as const;

/** By their codes: many routes answer the same, and a schema is made more slowly than a route. */
const bodies = new Map<string, ErrorBody>();

const codesRegistry = z.registry<{ readonly codes: readonly ErrorCode[] }>();

/**
 * The error responses of an operation, by status, from the codes that it may answer with. What its schemas, its
 * security and its method say already is added by itself.
 */
export function errorResponses(...codes: readonly ErrorCode[]): ErrorResponses {
  const byStatus = new Map<ErrorStatus, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const { status } = errorCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const entries = [...byStatus].map(([status, own]) => [status, cachedBody(own)] as const);
  return Object.fromEntries(entries);
}

/** The codes that a response was made of; none for a response that `errorResponses` did not make. */
export function declaredErrorCodes(response: unknown): readonly ErrorCode[] {
  return response instanceof z.ZodType ? (codesRegistry.get(response)?.codes ?? []) : [];
}

function cachedBody(codes: readonly ErrorCode[]): ErrorBody {
  const name = codes.join();
  const body = bodies.get(name) ?? createBody(codes);
  bodies.set(name, body);
  return body;
}

/** Callers branch on the code, so the description names those that there may be. */
function createBody(codes: readonly ErrorCode[]) {
  const described = codes.map((code) => `\`${code}\`: ${errorCatalogue[code].text}`).join('\n\n');
  const schema = errorBodySchema
    .and(z.object({ code: z.string().meta({ enum: [...codes] }) }))
    .meta({ description: described });
  codesRegistry.add(schema, { codes });
  return schema;
}
