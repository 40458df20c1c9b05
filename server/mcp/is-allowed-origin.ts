import ipaddr from 'ipaddr.js';

interface Doors {
  /** The request's own Host. */
  readonly host: string;
  readonly publicUrl: string | undefined;
  /** Host names that the owner of the workspace allows. */
  readonly allowedDomains: readonly string[];
}

/**
 * Whether a page of `origin` may call the server: its own pages may, and those of domains that were allowed. That Host
 * and Origin agree proves nothing where the host is a name, for whoever owns a name can lead it to any address: then
 * only the configured address counts.
 */
export function isAllowedOrigin(origin: string, { host, publicUrl, allowedDomains }: Doors): boolean {
  const parsed = URL.parse(origin);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return false;
  if (publicUrl !== undefined && parsed.origin === new URL(publicUrl).origin) return true;
  if (allowedDomains.some((domain) => domain.toLowerCase() === parsed.hostname)) return true;
  return parsed.host === host.toLowerCase() && isOwnAddress(parsed.hostname);
}

function isOwnAddress(hostname: string): boolean {
  return hostname === 'localhost' || ipaddr.isValid(hostname.replace(/^\[(.*)\]$/, '$1'));
}
