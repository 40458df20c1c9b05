import type { FastifyRequest } from 'fastify';

/** Where a question says that it was asked from: it is logged and changes nothing. */
export function logSite(request: FastifyRequest, site: string | undefined): void {
  if (site !== undefined) request.log.info({ site }, 'asked from a site');
}
