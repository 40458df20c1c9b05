import { AppError } from '../../core/base/errors.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
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
    if (judgePage(origin, domains, publicBaseUrl(config, request)).allowed) return;
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

const localHostname = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Why a page may show the widget, or why not. */
export const pageReasons = ['own', 'local', 'listed', 'not_listed', 'none_listed', 'no_page'] as const;

interface PageVerdict {
  readonly allowed: boolean;
  readonly reason: (typeof pageReasons)[number];
  /** The entry of the domains that covers the page. Null if none does. */
  readonly entry: string | null;
}

/**
 * Judges whether a page of `origin` may call. Pages of this server, such as the test page of a widget, always may. If no
 * domain is configured, only pages of the local machine may, so that a copied token is useless elsewhere. `*.shop.example`
 * covers all subdomains of shop.example, but not shop.example itself.
 */
export function judgePage(origin: string, domains: readonly string[], base: string): PageVerdict {
  const url = URL.parse(origin);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return { allowed: false, reason: 'no_page', entry: null };
  if (url.host === URL.parse(base)?.host) return { allowed: true, reason: 'own', entry: null };
  const { hostname } = url;
  if (domains.length === 0) {
    const isLocal = localHostname.test(hostname);
    return { allowed: isLocal, reason: isLocal ? 'local' : 'none_listed', entry: null };
  }
  const entry = domains.find((each) => covers(each.toLowerCase(), hostname)) ?? null;
  return { allowed: entry !== null, reason: entry === null ? 'not_listed' : 'listed', entry };
}

function covers(domain: string, hostname: string): boolean {
  return domain.startsWith('*.') ? hostname.endsWith(domain.slice(1)) : hostname === domain;
}
