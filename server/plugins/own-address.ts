import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { AppError } from '../../core/base/errors.ts';

/** The page that made a browser send a request: one of this server, one of another site, or unknown. */
export type RequestOrigin = 'own' | 'foreign' | 'absent';

/**
 * Compares the `Origin` of a request with the address that it was sent to and with PUBLIC_URL. Browsers name the origin of every
 * write; other clients may leave it out.
 */
export function compareOrigin(
  { headers, host }: Pick<FastifyRequest, 'headers' | 'host'>,
  publicUrl: string | undefined,
): RequestOrigin {
  if (headers.origin === undefined) return 'absent';
  const own = [host, publicUrl === undefined ? host : new URL(publicUrl).host];
  return own.includes(URL.parse(headers.origin)?.host ?? '') ? 'own' : 'foreign';
}

interface Address {
  readonly PUBLIC_URL?: string | undefined;
}

/**
 * Rejects requests of browsers that were sent to another host than that of PUBLIC_URL: a page that another name leads to could
 * read what the session may read. Programs with the operator's token are let through, because they call by inner names. Ports
 * are not compared, because proxies change them. Throws `misdirected_request`.
 */
export function requireOwnHost(app: FastifyInstance, { PUBLIC_URL }: Address): void {
  if (PUBLIC_URL === undefined) return;
  const own = new URL(PUBLIC_URL).hostname;
  app.addHook('onRequest', async (request) => {
    if (request.headers.authorization !== undefined) return;
    const hostname = parseHostname(request);
    if (hostname !== own && !isLoopback(hostname)) throw new AppError('misdirected_request');
  });
}

/**
 * Returns the address of this installation for links: PUBLIC_URL, or what the request was sent to if that is this machine. A
 * client chooses the host that it names, so a link never leads to another one. Throws `no_public_address`.
 */
export function ownAddress(
  { PUBLIC_URL }: Address,
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
): string {
  if (PUBLIC_URL !== undefined) return PUBLIC_URL;
  if (!isLoopback(parseHostname(request))) throw new AppError('no_public_address');
  return `${request.protocol}://${request.host}`;
}

/** The host as URLs write it, without its port; empty if it is none. */
function parseHostname({ host }: Pick<FastifyRequest, 'host'>): string {
  return URL.parse(`http://${host}`)?.hostname ?? '';
}

function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true;
  const address = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
