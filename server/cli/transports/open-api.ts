import { StartError } from '../../../core/base/errors.ts';
import type { Config } from '../../../core/config/config.ts';
import { readSecret } from '../../../core/secrets/installation.ts';
import { lockDataFolder, readHolder } from '../../../core/storage/embedded/data-folder-lock.ts';
import { CommandError } from '../command-error.ts';
import { createApiCall, type Exchange } from './http-api.ts';
import type { LocalOptions } from './local-api.ts';
import type { OperatorApi } from './operator-api.ts';

interface OpenOptions extends LocalOptions {
  /** The URL of a server. Defaults to the server that holds the data directory, else this process. */
  readonly server: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Returns the API of the given server, of the server that holds the data directory, or of this process. The
 * local API is imported only if needed, because loading it takes longer than most commands.
 */
export async function openOperatorApi(config: Config, options: OpenOptions): Promise<OperatorApi> {
  const address =
    options.server ?? (config.DATABASE_URL === undefined ? findServerAddress(config.DATA_DIR) : null);
  if (address === null) {
    const { openLocalApi } = await import('./local-api.ts');
    return openLocalApi(config, options);
  }
  return openRemoteApi(config, address, options.signal);
}

/**
 * Returns the API of the server that holds the data directory, or null if no process holds it. Throws a StartError if its
 * holder does not listen.
 */
export function openRunningServer(config: Config, signal: AbortSignal): OperatorApi | null {
  const address = findServerAddress(config.DATA_DIR);
  return address === null ? null : openRemoteApi(config, address, signal);
}

function openRemoteApi(config: Config, address: string, signal: AbortSignal): OperatorApi {
  const adminToken = loadOperatorToken(config, address);
  return createRemoteApi({ address: toReachableAddress(address), adminToken, signal });
}

/**
 * Returns the URL of the server that holds the data directory, or null if no process holds it. Throws the
 * StartError of the lock if its holder does not listen or the directory cannot be used (an error with a
 * cause). The lock is checked first, because the holder's file remains after a crash.
 */
function findServerAddress(folder: string): string | null {
  try {
    lockDataFolder(folder, process.pid).release();
    return null;
  } catch (error) {
    const isHeld = error instanceof StartError && error.cause === undefined;
    const address = isHeld ? readHolder(folder)?.address : undefined;
    if (address === undefined) throw error;
    return address;
  }
}

/** Removes trailing slashes, and replaces the unspecified address with the loopback address. */
function toReachableAddress(address: string): string {
  const url = new URL(address);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url.href.replace(/(?<!\/)\/+$/, '');
}

function loadOperatorToken(config: Config, address: string): string {
  const token = config.ADMIN_TOKEN ?? readSecret(config.DATA_DIR, 'admin-token');
  if (token !== null) return token;
  throw new CommandError(`No operator token is configured for ${address}.`, {
    code: 'missing_auth',
    hint: "Set ADMIN_TOKEN to the operator's token of that server, or DATA_DIR to its data directory.",
  });
}

interface RemoteServer {
  /** The URL without a trailing slash. */
  readonly address: string;
  readonly adminToken: string;
  readonly signal: AbortSignal;
}

/** Creates the API of a running server over HTTP. */
function createRemoteApi({ address, adminToken, signal }: RemoteServer): OperatorApi {
  const exchange: Exchange = async ({ method, path, headers, body }) => {
    try {
      const response = await fetch(`${address}${path}`, { method, headers, body, signal, redirect: 'error' });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      signal.throwIfAborted();
      throw new CommandError(`The server at ${address} is unreachable: ${errorReason(error)}.`, {
        code: 'server_unreachable',
        hint: 'Check that it is running (npm start), or leave out --server to use DATA_DIR directly.',
      });
    }
  };
  return { outlivesCommand: true, call: createApiCall(exchange, adminToken), close: async () => {} };
}

function errorReason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
