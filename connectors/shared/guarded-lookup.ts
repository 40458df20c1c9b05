import { isIP, type LookupFunction } from 'node:net';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { unreachableError } from './unreachable-error.ts';

interface Socket {
  /** What errors call the other side. */
  readonly peer: string;
  /** The address that the socket is opened to. */
  readonly url: string;
}

/**
 * A `lookup` for a socket that is not opened by `fetch`. The host is resolved once, by the guard that keeps private
 * networks out, and the socket can reach only the addresses found then: a name that resolves to something else a moment
 * later changes nothing. Throws a ConnectorError for a refused or unknown host, also where an address stands for a name.
 */
export async function guardedLookup(
  { peer, url }: Socket,
  { resolve }: Pick<Tools, 'resolve'>,
): Promise<LookupFunction> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const addresses = await resolve(host).catch((error: unknown) => {
    throw error instanceof ConnectorError ? error : unreachableError(peer, error, []);
  });
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first] = found;
    if (first === undefined) callback(new TypeError(`${host} has no address`), '');
    else if (options.all === true) callback(null, found);
    else callback(null, first.address, first.family);
  };
}
