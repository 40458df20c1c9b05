import type { ErrorCode } from './api-types.ts';

/** Codes of this library, beside those of the service. */
export type ClientErrorCode =
  | 'connection_failed'
  | 'client_timeout'
  | 'invalid_response'
  | 'invalid_webhook_signature';

export interface ErrorFacts {
  /** Later versions of the service may have further codes. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  readonly detail: string;
  /** The HTTP status. Null for an error within a stream, and if no response arrived. */
  readonly status: number | null;
  /** Names the request when you ask for support. Null if no response arrived. */
  readonly requestId: string | null;
  /** Seconds after which the request may be sent again, as the service asked. */
  readonly retryAfter: number | null;
}

/** An error of the service or of the way to it. Branch on `code`. */
export class ParleyError extends Error {
  override readonly name: string = 'ParleyError';
  readonly code: ErrorFacts['code'];
  readonly detail: string;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly retryAfter: number | null;

  constructor(facts: ErrorFacts, options?: ErrorOptions) {
    super(`${facts.code}: ${facts.detail}`, options);
    this.code = facts.code;
    this.detail = facts.detail;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
  }
}

/** 400, 413, 415 and 422: the request itself must change. */
export class InvalidRequestError extends ParleyError {
  override readonly name = 'InvalidRequestError';
}

/** 401: the key is missing, unknown, revoked or expired. */
export class AuthenticationError extends ParleyError {
  override readonly name = 'AuthenticationError';
}

/** 403: the key may not do this. */
export class PermissionError extends ParleyError {
  override readonly name: string = 'PermissionError';
}

/** `verification_required`: the visitor's identity is unproven, or its proof is wrong. */
export class VerificationRequiredError extends PermissionError {
  override readonly name = 'VerificationRequiredError';
}

/** 404. */
export class NotFoundError extends ParleyError {
  override readonly name = 'NotFoundError';
}

/** 409. */
export class ConflictError extends ParleyError {
  override readonly name = 'ConflictError';
}

/** 429: a cap of the key or the month's allowance is reached. `retryAfter` says when to come back. */
export class RateLimitError extends ParleyError {
  override readonly name = 'RateLimitError';
}

/** 5xx, and errors that ended a stream. */
export class ServerError extends ParleyError {
  override readonly name = 'ServerError';
}

/** No response arrived, or the connection broke. */
export class ConnectionError extends ParleyError {
  override readonly name = 'ConnectionError';

  constructor(code: 'connection_failed' | 'client_timeout' | 'invalid_response', cause: unknown) {
    super(
      { code, detail: connectionDetails[code], status: null, requestId: null, retryAfter: null },
      { cause },
    );
  }
}

const connectionDetails = {
  connection_failed: 'Parley cannot be reached, or the connection broke. Check baseUrl and the network.',
  client_timeout: 'No response arrived within timeoutMs. Send the request again, or use a stream.',
  invalid_response: 'The response is not from Parley. Check baseUrl.',
} as const;

/** A webhook that is not from Parley, is too old, or was changed on its way. */
export class WebhookSignatureError extends ParleyError {
  override readonly name = 'WebhookSignatureError';

  constructor(detail: string) {
    super({
      code: 'invalid_webhook_signature',
      detail,
      status: null,
      requestId: null,
      retryAfter: null,
    });
  }
}

/** Returns the error class of a response. */
export function errorFrom(facts: ErrorFacts): ParleyError {
  const { code, status } = facts;
  if (code === 'verification_required') return new VerificationRequiredError(facts);
  if (status === null) return code.endsWith('_not_found') ? new NotFoundError(facts) : new ServerError(facts);
  if (status >= 500) return new ServerError(facts);
  switch (status) {
    case 401:
      return new AuthenticationError(facts);
    case 403:
      return new PermissionError(facts);
    case 404:
      return new NotFoundError(facts);
    case 409:
      return new ConflictError(facts);
    case 429:
      return new RateLimitError(facts);
    default:
      return new InvalidRequestError(facts);
  }
}
