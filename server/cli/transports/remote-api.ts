import { CommandError } from '../command-error.ts';
import { apiOver } from './api-over.ts';
import type { Exchange } from './exchange.ts';
import type { OperatorApi } from './operator-api.ts';

export interface RemoteServer {
  /** Its address, without a slash at the end. */
  readonly address: string;
  readonly adminToken: string;
  readonly signal: AbortSignal;
}

/** The API of a server that runs, over HTTP. */
export function remoteApi({ address, adminToken, signal }: RemoteServer): OperatorApi {
  const exchange: Exchange = async ({ method, path, headers, body }) => {
    try {
      const response = await fetch(`${address}${path}`, { method, headers, body, signal, redirect: 'error' });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      signal.throwIfAborted();
      throw new CommandError(`The server at ${address} cannot be reached: ${reasonOf(error)}.`, {
        code: 'server_unreachable',
        hint: 'Check that it runs (npm start), or leave out --server to work on DATA_DIR itself.',
      });
    }
  };
  return { outlivesCommand: true, call: apiOver(exchange, adminToken), close: async () => {} };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
