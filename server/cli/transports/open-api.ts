import type { Config } from '../../../core/config.ts';
import { StartError } from '../../../core/errors.ts';
import { readSecret } from '../../../core/installation.ts';
import { lockDataFolder, readHolder } from '../../../core/storage/embedded/data-folder-lock.ts';
import { CommandError } from '../command-error.ts';
import { createApiCall, type Exchange } from './http-api.ts';
import type { LocalOptions } from './local-api.ts';
import type { OperatorApi } from './operator-api.ts';

interface OpenOptions extends LocalOptions {
  /** The address of a server; absent: whoever has the data folder, else this process. */
  readonly server: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Finds out who answers: the server named, the server that has the data folder, or this process. What this process
 * needs to answer itself is loaded only then: it takes longer than most commands.
 */
export async function openOperatorApi(config: Config, options: OpenOptions): Promise<OperatorApi> {
  const address =
    options.server ?? (config.DATABASE_URL === undefined ? findServerAddress(config.DATA_DIR) : null);
  if (address === null) {
    const { openLocalApi } = await import('./local-api.ts');
    return openLocalApi(config, options);
  }
  return createRemoteApi({
    address: toReachableAddress(address),
    adminToken: loadOperatorToken(config, address),
    signal: options.signal,
  });
}

/**
 * Where the server that has the folder listens; null when nobody has it. Throws the lock's StartError when its
 * holder does not listen, or the folder cannot be used at all (that one has a cause). The lock is asked first: what
 * a holder wrote stays behind when it dies.
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

/** Without a slash at its end; a server that listens everywhere is reached on this machine's own address. */
function toReachableAddress(address: string): string {
  const url = new URL(address);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url.href.replace(/(?<!\/)\/+$/, '');
}

function loadOperatorToken(config: Config, address: string): string {
  const token = config.ADMIN_TOKEN ?? readSecret(config.DATA_DIR, 'admin-token');
  if (token !== null) return token;
  throw new CommandError(`There is no operator token for ${address}.`, {
    code: 'missing_auth',
    hint: "Set ADMIN_TOKEN to that server's operator token, or DATA_DIR to the folder that it uses.",
  });
}

interface RemoteServer {
  /** Its address, without a slash at the end. */
  readonly address: string;
  readonly adminToken: string;
  readonly signal: AbortSignal;
}

/** The API of a server that runs, over HTTP. */
function createRemoteApi({ address, adminToken, signal }: RemoteServer): OperatorApi {
  const exchange: Exchange = async ({ method, path, headers, body }) => {
    try {
      const response = await fetch(`${address}${path}`, { method, headers, body, signal, redirect: 'error' });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      signal.throwIfAborted();
      throw new CommandError(`The server at ${address} cannot be reached: ${errorReason(error)}.`, {
        code: 'server_unreachable',
        hint: 'Check that it runs (npm start), or leave out --server to work on DATA_DIR itself.',
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
