import type { FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { AppError, type ErrorCode } from '../../core/errors.ts';
import { isDatabaseFault } from '../../core/storage/is-database-fault.ts';
import { validationError } from './validation-error.ts';

/** What the framework and its parsers report, in our words. */
const codes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_MAX_PARAM_LENGTH: 'malformed_request',
};

/**
 * Any error as one that a caller may see: a database that does not answer is `upstream_timeout`, and what is not known
 * `internal_error`, each with its cause kept for the log.
 */
export function toAppError(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    return validationError(error.validation, validatedPart(request, error.validationContext));
  }
  const code = error instanceof Error && 'code' in error ? codes[String(error.code)] : undefined;
  if (code === 'unsupported_media_type') {
    const sent = request.headers['content-type'];
    const detail = `${sent === undefined ? 'No Content-Type was sent' : 'This Content-Type is not supported'}: send the body with Content-Type: application/json.`;
    return new AppError(code, { detail, cause: error });
  }
  if (code !== undefined) return new AppError(code, { cause: error });
  const cut = request.raw.destroyed && !request.raw.complete;
  if (cut) return new AppError('malformed_request', { cause: error });
  return new AppError(isDatabaseFault(error) ? 'upstream_timeout' : 'internal_error', { cause: error });
}

function validatedPart(request: FastifyRequest, part: string | undefined): unknown {
  switch (part) {
    case 'headers':
      return request.headers;
    case 'params':
      return request.params;
    case 'querystring':
      return request.query;
    default:
      return request.body;
  }
}
