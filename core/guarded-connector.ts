import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { FetchError } from './fetch-error.ts';
import { isPublicAddress } from './public-address.ts';

/** All addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

/**
 * Opens connections to public addresses only. The check sits where the socket is made: it sees the very addresses
 * that are connected to, so a name that resolves differently a moment later changes nothing.
 */
export function guardedConnector(resolveHost: ResolveHost): buildConnector.connector {
  const connect = buildConnector({ lookup: guardedLookup(resolveHost) });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !isPublicAddress(host)) callback(refusal(host, host), null);
    else connect(options, callback);
  };
}

function guardedLookup(resolveHost: ResolveHost): LookupFunction {
  return (hostname, options, callback) => {
    resolveHost(hostname).then(
      (addresses) => {
        const refused = refusalOf(hostname, addresses);
        const [first] = addresses;
        if (refused !== null) callback(refused, '');
        else if (options.all === true) callback(null, addresses);
        else if (first !== undefined) callback(null, first.address, first.family);
        else callback(new FetchError('host_unreachable', `${hostname} has no address.`), '');
      },
      (error: unknown) => callback(error instanceof Error ? error : new TypeError(String(error)), ''),
    );
  };
}

/** Throws a FetchError where one of a host's addresses is not public. */
export function requirePublic(host: string, addresses: readonly LookupAddress[]): void {
  const refused = refusalOf(host, addresses);
  if (refused !== null) throw refused;
}

function refusalOf(host: string, addresses: readonly LookupAddress[]): FetchError | null {
  const refused = addresses.find(({ address }) => !isPublicAddress(address));
  return refused === undefined ? null : refusal(host, refused.address);
}

function refusal(host: string, address: string): FetchError {
  const where = host === address ? address : `${host} (${address})`;
  return new FetchError('address_refused', `${where} is not a public address.`);
}
