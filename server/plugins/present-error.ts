import type { z } from 'zod';
import type { AppError } from '../../core/errors.ts';
import type { errorBodySchema } from '../schemas/error-body-schema.ts';

export function presentError(error: AppError, requestId: string): z.output<typeof errorBodySchema> {
  return { detail: error.message, code: error.code, request_id: requestId };
}
