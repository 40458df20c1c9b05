import ipaddr from 'ipaddr.js';
import { AppError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { publicWorkspace } from '../nlweb/public-workspace.ts';
import type { TypedApp } from '../typed-app.ts';

/**
 * Only pages of known origins may call `app` from a browser: else any page could reach a server on its visitor's own
 * machine or network. Throws `origin_not_allowed`. What is no browser sends no origin.
 */
export function requireAllowedOrigin(app: TypedApp, { config }: Runtime): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined) return;
    const allowedDomains = publicWorkspace.get(request).settings.allowed_domains ?? [];
    const doors = { host: request.host, publicUrl: config.PUBLIC_URL, allowedDomains };
    if (!isAllowedOrigin(origin, doors)) throw new AppError('origin_not_allowed');
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'X-Request-Id, Retry-After',
    });
  });
}

interface AllowedOrigins {
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
export function isAllowedOrigin(
  origin: string,
  { host, publicUrl, allowedDomains }: AllowedOrigins,
): boolean {
  const parsed = URL.parse(origin);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return false;
  if (publicUrl !== undefined && parsed.origin === new URL(publicUrl).origin) return true;
  if (allowedDomains.some((domain) => domain.toLowerCase() === parsed.hostname)) return true;
  return parsed.host === host.toLowerCase() && isLocalhostOrIp(parsed.hostname);
}

function isLocalhostOrIp(hostname: string): boolean {
  return hostname === 'localhost' || ipaddr.isValid(hostname.replace(/^\[(.*)\]$/, '$1'));
}
