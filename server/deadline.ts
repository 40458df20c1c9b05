import { AppError } from '../core/errors.ts';

/**
 * The result of `work`, or `request_timeout` when it takes longer than `milliseconds`: then the signal is aborted and
 * whatever the work still comes to is dropped.
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
