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
].map((name) => `/${name}`);
const preflightSeconds = '7200';

/**
 * Pages of the allowed domains and of this server alone may call `app` from a browser, and none may send cookies along. What is no browser
 * sends no origin: limits hold for it. Throws `origin_not_allowed`, which such a page may read: it tells what to set.
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
      detail: `Pages of ${origin} may not use this widget: add the domain to allowed_domains of its channel or workspace.`,
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

/** The test page of a widget is one. */
function isOwnPage(origin: string, base: string): boolean {
  const host = URL.parse(origin)?.host;
  return host !== undefined && host === URL.parse(base)?.host;
}

const localHostname = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether a page of `origin` may call: where no domain is named, pages of this machine alone, so that a token that was
 * copied is of no use elsewhere. `*.shop.example` names all below shop.example, and not that itself.
 */
function isAllowedPage(origin: string, domains: readonly string[]): boolean {
  const url = URL.parse(origin);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false;
  const { hostname } = url;
  if (domains.length === 0) return localHostname.test(hostname);
  return domains.some((named) => {
    const domain = named.toLowerCase();
    return domain.startsWith('*.') ? hostname.endsWith(domain.slice(1)) : hostname === domain;
  });
}
