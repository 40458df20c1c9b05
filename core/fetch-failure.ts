import { FetchError } from './fetch-error.ts';

/** Why a request to `where` got no response, as a FetchError: the reasons hide in the chain of causes. */
export function fetchFailure(error: unknown, where: string): FetchError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof FetchError) return cause;
    if (cause.name === 'TimeoutError') {
      return new FetchError('timed_out', `${where} did not answer in time.`, { cause: error });
    }
    if ('code' in cause && typeof cause.code === 'string') {
      return new FetchError('host_unreachable', `${where} cannot be reached: ${trouble(cause.code)}.`, {
        cause: error,
      });
    }
  }
  return new FetchError('host_unreachable', `${where} gave no valid response.`, { cause: error });
}

function trouble(code: string): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its name cannot be resolved';
  if (code === 'ECONNREFUSED') return 'nothing listens there';
  return code.includes('CERT') || code.includes('TLS') || code.includes('SIGNATURE')
    ? `its certificate is not trusted (${code})`
    : `the connection failed (${code})`;
}
