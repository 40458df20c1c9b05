import type { ErrorCode } from '../../core/errors.ts';

/** For a schema's refinement: what fails it is answered with `code` instead of the field's own `invalid_…`. */
export function answerWith(code: ErrorCode) {
  return { params: { code } };
}
