import { AppError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { publicWorkspace } from '../nlweb/public-workspace.ts';
import type { TypedApp } from '../typed-app.ts';
import { isAllowedOrigin } from './is-allowed-origin.ts';

/**
 * Only pages of known origins may call `app` from a browser: else any page could reach a server on its visitor's own
 * machine or network. Throws `origin_not_allowed`. What is no browser sends no origin.
 */
export function checkOrigin(app: TypedApp, { config }: Runtime): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined) return;
    const allowedDomains = publicWorkspace.of(request).settings.allowed_domains ?? [];
    const doors = { host: request.host, publicUrl: config.PUBLIC_URL, allowedDomains };
    if (!isAllowedOrigin(origin, doors)) throw new AppError('origin_not_allowed');
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'X-Request-Id, Retry-After',
    });
  });
}
