import type { AppError } from '../../../core/errors.ts';
import type { ErrorFrame } from './frame-schema.ts';

export function presentFailure(error: AppError, requestId: string): ErrorFrame {
  return { error: error.message, done: true, code: error.code, request_id: requestId };
}
