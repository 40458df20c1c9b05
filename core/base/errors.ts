import type { RetryAdvice } from './catalogue/error-entry.ts';
import { type ErrorCode, errorCatalogue } from './error-catalogue.ts';

interface AppErrorOptions {
  /** Describes the problem of this request to the client. Defaults to the text of the catalogue. */
  readonly detail?: string;
  /** Seconds, for `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Further fields of the response, besides those of every error. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The underlying error, for the log only. It is never sent to a client. */
  readonly cause?: unknown;
}

/** An error that is shown to clients. Its public fields come from the catalogue and from `detail`. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retry: RetryAdvice;
  readonly retryAfterSeconds: number | undefined;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.detail ?? errorCatalogue[code].text, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.retry = errorCatalogue[code].retry;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.fields = options.fields ?? {};
  }
}

/**
 * An error that prevents the process from starting or continuing and that an operator can fix. `message` is one line that says
 * what is wrong and what to do. It is printed without a stack trace, and the exit code is 1.
 */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StartError';
  }
}
