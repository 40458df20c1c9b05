import type { ErrorCode } from '../../core/errors.ts';

/** The code that a request was refused with, for its line in the log. */
export const refusal = new WeakMap<object, ErrorCode>();
