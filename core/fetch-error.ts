/** Stable names of what can go wrong with an outgoing request. */
export type FetchErrorCode =
  | 'invalid_address'
  | 'address_refused'
  | 'host_unreachable'
  | 'timed_out'
  | 'too_large'
  | 'too_many_redirects';

/** An outgoing request that got no usable response; `message` is a sentence for the person who gave the address. */
export class FetchError extends Error {
  readonly code: FetchErrorCode;

  constructor(code: FetchErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FetchError';
    this.code = code;
  }
}
