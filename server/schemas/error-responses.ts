import { z } from 'zod';
import { type ErrorCode, errorCatalogue } from '../../core/errors.ts';
import { errorBodySchema } from './error-body-schema.ts';

type ErrorStatus = (typeof errorCatalogue)[ErrorCode]['status'];
type ErrorResponses = Partial<Record<ErrorStatus, typeof errorBodySchema>>;

/** What may go wrong with any request, whatever its route. */
const always = [
  'malformed_request',
  'receive_timeout',
  'headers_too_large',
  'internal_error',
  'deploying',
] as const;

/** What a route that takes an API key answers beside that. */
export const keyErrors = [
  'missing_auth',
  'malformed_auth',
  'invalid_key',
  'expired_key',
  'feature_not_in_plan',
  'rate_limit_minute',
  'rate_limit_day',
  'rate_limit_concurrent',
] as const;

/** What a route that takes the operator's token answers beside that. */
export const operatorErrors = ['missing_auth', 'malformed_auth', 'invalid_key'] as const;

/** What a route with a JSON body answers beside that. */
export const bodyErrors = [
  'invalid_json',
  'invalid_body',
  'missing_field',
  'payload_too_large',
  'unsupported_media_type',
] as const;

/** The error responses of an operation, by status, from the codes that it may answer with. */
export function errorResponses(...codes: readonly ErrorCode[]): ErrorResponses {
  const byStatus = new Map<ErrorStatus, ErrorCode[]>();
  for (const code of new Set([...always, ...codes])) {
    const { status } = errorCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const entries = [...byStatus].map(([status, own]) => [status, bodyWith(own)] as const);
  return Object.fromEntries(entries);
}

/** Callers branch on the code, so the description names those that there may be. */
function bodyWith(codes: readonly ErrorCode[]): typeof errorBodySchema {
  const described = codes.map((code) => `\`${code}\`: ${errorCatalogue[code].text}`).join('\n\n');
  return errorBodySchema
    .extend({ code: z.string().meta({ enum: [...codes] }) })
    .meta({ description: described });
}
