import type { FastifyRequest } from 'fastify';
import type { Config } from '../../core/config.ts';

/** Where the world reaches this server: as it is configured, else as this request did. */
export function publicBase({ PUBLIC_URL, HOST }: Config, request: FastifyRequest): string {
  return PUBLIC_URL ?? `${request.protocol}://${request.host || HOST}`;
}
