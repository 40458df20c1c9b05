import { ConnectorError } from '../../core/contract/connector-error.ts';

/**
 * A call that got no response. Errors of `fetch` name the address and what was sent to it: what is secret in that is
 * taken out, and the error itself is left behind for the same reason.
 */
export function unreachableError(
  platform: string,
  error: unknown,
  secrets: readonly string[],
): ConnectorError {
  const reason = secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), reasonOf(error));
  return new ConnectorError(`${platform} cannot be reached: ${reason}`, { advice: { retry: 'backoff' } });
}

/** The innermost: "fetch failed" says nothing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'it did not answer in time';
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
