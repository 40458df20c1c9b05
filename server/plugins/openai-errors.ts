import type { AppError } from '../../core/base/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether errors also have the `error` of OpenAI's dialect. */
    openAiErrors?: boolean;
  }
}

/** Returns the part of an error that clients of OpenAI's dialect read. Pure. */
export function presentOpenAiError({ code, status, message }: AppError) {
  const [, field] = code.split('invalid_');
  const type =
    status === 401
      ? 'authentication_error'
      : status === 403
        ? 'permission_error'
        : status === 429
          ? 'rate_limit_error'
          : status < 500
            ? 'invalid_request_error'
            : 'server_error';
  return { error: { message, type, code, param: status === 422 && field !== undefined ? field : null } };
}
