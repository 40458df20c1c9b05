import { AppError } from '../core/base/errors.ts';

/**
 * Returns the result of `work`. Throws `request_timeout` and aborts the signal if it takes longer than
 * `milliseconds`; a later result is discarded.
 */
export async function withDeadline<Result>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = new AbortController();
  const expired = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new AppError('request_timeout');
    deadline.abort(error);
    expired.reject(error);
  }, milliseconds);
  try {
    return await Promise.race([work(deadline.signal), expired.promise]);
  } finally {
    clearTimeout(timer);
  }
}
