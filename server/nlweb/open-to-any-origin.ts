import type { TypedApp } from '../typed-app.ts';

/** Preflights are good for a day. */
const maxAge = '86400';

/**
 * Pages of any origin may call `app` from a browser: what it answers is for everybody, and no credentials are sent.
 * `methods` by path, for the preflights.
 */
export function openToAnyOrigin(app: TypedApp, methods: Readonly<Record<string, string>>): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'X-Request-Id, Retry-After',
    });
  });
  for (const [path, allowed] of Object.entries(methods)) {
    app.options(path, { schema: { hide: true } }, (_request, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-methods': allowed,
          'access-control-allow-headers': 'Content-Type, X-Request-Id',
          'access-control-max-age': maxAge,
        })
        .send(),
    );
  }
}
