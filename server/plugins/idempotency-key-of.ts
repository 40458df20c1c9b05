import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a request to this route that carries `Idempotency-Key` is answered once however often it is sent. */
    idempotent?: boolean;
  }
}

/** The key that a request is repeatable under; undefined where it has none, or its route takes none. */
export function idempotencyKeyOf({ headers, routeOptions }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  return routeOptions.config.idempotent === true && typeof key === 'string' ? key : undefined;
}
