import type { TypedApp } from '../typed-app.ts';

/** The preflight of pages that may call. */
export function optionsMcp(app: TypedApp): void {
  app.options('', { schema: { hide: true } }, (_request, reply) =>
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers':
          'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Last-Event-ID, X-Request-Id',
        'access-control-max-age': '86400',
      })
      .send(),
  );
}
