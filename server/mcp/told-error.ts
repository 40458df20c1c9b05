import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '../../core/errors.ts';

/** Any error as one that a caller may see; what was not expected is logged here, and nothing of it is told. */
export function toldError(error: unknown, log: FastifyBaseLogger): AppError {
  if (error instanceof AppError && error.code !== 'internal_error') return error;
  log.error({ err: error }, 'a message of the Model Context Protocol failed');
  return new AppError('internal_error');
}
