import { AppError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { publicBaseUrl } from '../nlweb/public-workspace.ts';
import type { TypedApp } from '../typed-app.ts';
import { chatEntry } from './chat-entry.ts';

const preflightPaths = [
  'config',
  'session',
  'ask',
  'files',
  'files/:file_id',
  'human',
  'contact',
  'messages',
  'events',
  'feedback',
  'read',
  'typing',
  'rating',
].map((name) => `/${name}`);
const preflightSeconds = '7200';

/**
 * Restricts browser calls of `app` to pages of the allowed domains and of this server, without cookies.
 * Clients other than browsers send no origin; rate limits apply to them. Throws `origin_not_allowed`; the
 * page may read that response, because it says which setting to change.
 */
export function requireAllowedPage(app: TypedApp, { config }: Runtime): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined) return;
    const { look, workspace } = chatEntry.get(request);
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'X-Request-Id, Retry-After, Challenge',
    });
    const domains = look.allowed_domains ?? workspace.settings.allowed_domains ?? [];
    if (isAllowedPage(origin, domains) || isOwnPage(origin, publicBaseUrl(config, request))) return;
    throw new AppError('origin_not_allowed', {
      detail: `Pages of ${origin} are not allowed to use this widget. Add the domain to allowed_domains of its channel or workspace.`,
    });
  });
  for (const path of preflightPaths) {
    app.options(path, { schema: { hide: true } }, (_request, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-methods': 'GET, POST, DELETE',
          'access-control-allow-headers': 'Authorization, Content-Type, X-Request-Id, Challenge-Answer',
          'access-control-max-age': preflightSeconds,
        })
        .send(),
    );
  }
}

/** True for pages of this server, such as the test page of a widget. */
function isOwnPage(origin: string, base: string): boolean {
  const host = URL.parse(origin)?.host;
  return host !== undefined && host === URL.parse(base)?.host;
}

const localHostname = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns whether a page of `origin` may call. If no domain is configured, only pages of the local machine
 * may, so that a copied token is useless elsewhere. `*.shop.example` covers all subdomains of shop.example,
 * but not shop.example itself.
 */
function isAllowedPage(origin: string, domains: readonly string[]): boolean {
  const url = URL.parse(origin);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false;
  const { hostname } = url;
  if (domains.length === 0) return localHostname.test(hostname);
  return domains.some((entry) => {
    const domain = entry.toLowerCase();
    return domain.startsWith('*.') ? hostname.endsWith(domain.slice(1)) : hostname === domain;
  });
}
