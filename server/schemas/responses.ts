import { z } from 'zod';
import { type ErrorCode, errorCatalogue } from '../../core/base/error-catalogue.ts';
import { draftSchema } from './draft.ts';

/**
 * For refinements of a schema: a value that fails is reported with `code` instead of the `invalid_…` code of
 * the field.
 */
export function withErrorCode(code: ErrorCode) {
  return { params: { code } };
}

/** Returns `name` as a code of the catalogue, or undefined if the catalogue has no such code. */
export function findErrorCode(name: string | undefined): ErrorCode | undefined {
  return name !== undefined && isErrorCode(name) ? name : undefined;
}

function isErrorCode(name: string): name is ErrorCode {
  return Object.hasOwn(errorCatalogue, name);
}

/** The empty body of a 204 response. */
export const noContentSchema = z.undefined().meta({ type: 'null', description: 'Done.' });

/** The body of every error response. */
export const errorBodySchema = z
  .object({
    detail: z.string().meta({ description: 'A description of the problem, for people.' }),
    code: z.string().meta({ description: 'The stable code of the problem, for programs.' }),
    request_id: z.string().meta({ description: 'Also in the header X-Request-Id.' }),
    new_messages: z
      .array(
        z.object({
          id: z.string(),
          role: z.enum(['user', 'assistant', 'agent']),
          content: z.string(),
          author: z.string().nullable(),
          created_at: z.iso.datetime(),
        }),
      )
      .optional()
      .meta({ description: 'conversation_moved_on only: the messages that were not seen, oldest first.' }),
    draft: draftSchema.optional().meta({ description: 'draft_moved_on only: the stored draft.' }),
    error: z
      .object({ message: z.string(), type: z.string(), code: z.string(), param: z.string().nullable() })
      .optional()
      .meta({ description: 'Chat completions only: the same in the dialect of OpenAI.' }),
  })
  .meta({ id: 'Error' });

type ErrorStatus = (typeof errorCatalogue)[ErrorCode]['status'];
type ErrorBody = ReturnType<typeof createBody>;
type ErrorResponses = Partial<Record<ErrorStatus, ErrorBody>>;

/** Errors of routes that require an API key. */
export const keyErrors = [
  'missing_auth',
  'malformed_auth',
  'invalid_key',
  'expired_key',
  'feature_not_in_plan',
  'network_not_allowed',
  'rate_limit_minute',
  'rate_limit_day',
  'rate_limit_concurrent',
  'request_timeout',
] as const;

/** Errors of routes that require the operator's token or a person's session. */
export const operatorErrors = [
  'missing_auth',
  'malformed_auth',
  'invalid_key',
  'invalid_session',
  'permission_denied',
  'cross_site_request',
  'rate_limit_minute',
  'misdirected_request',
] as const;

/** Errors of routes that require a visitor's session. */
export const visitorErrors = [
  'missing_auth',
  'malformed_auth',
  'invalid_session',
  'rate_limit_minute',
] as const;

/** Errors of routes with a JSON body. */
export const bodyErrors = [
  'invalid_json',
  'invalid_body',
  'missing_field',
  'payload_too_large',
  'unsupported_media_type',
] as const;

/**
 * Cached by their codes: many routes return the same errors, and building a schema is slower than adding a
 * route.
 */
const bodies = new Map<string, ErrorBody>();

const codesRegistry = z.registry<{ readonly codes: readonly ErrorCode[] }>();

/**
 * Returns the error responses of an operation by status, for the given codes. Codes that follow from its
 * schemas, its security and its method are added separately (`addErrorResponses`).
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

/** Returns the codes of a response that `errorResponses` built; an empty list for any other response. */
export function declaredErrorCodes(response: unknown): readonly ErrorCode[] {
  return response instanceof z.ZodType ? (codesRegistry.get(response)?.codes ?? []) : [];
}

function cachedBody(codes: readonly ErrorCode[]): ErrorBody {
  const name = codes.join();
  const body = bodies.get(name) ?? createBody(codes);
  bodies.set(name, body);
  return body;
}

/** Clients branch on the code, so the description lists all possible codes. */
function createBody(codes: readonly ErrorCode[]) {
  const described = codes.map((code) => `\`${code}\`: ${errorCatalogue[code].text}`).join('\n\n');
  const schema = errorBodySchema
    .and(z.object({ code: z.string().meta({ enum: [...codes] }) }))
    .meta({ description: described });
  codesRegistry.add(schema, { codes });
  return schema;
}
