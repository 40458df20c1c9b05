/** Whether and when a client retries: never, after `Retry-After`, or with exponential backoff. */
export type RetryAdvice = 'never' | 'after' | 'backoff';

export interface ErrorEntry {
  readonly status: number;
  readonly text: string;
  readonly retry: RetryAdvice;
}

export function entry(status: number, text: string, retry: RetryAdvice = 'never'): ErrorEntry {
  return { status, text, retry };
}
