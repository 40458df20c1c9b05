import type { FastifyRequest } from 'fastify';
import type { RawRequest } from '../../core/contract/webhook-intake.ts';

/** A request as it came, for connectors: of a parameter that is given twice the first one. */
export function rawRequest({ method, raw, headers, body }: FastifyRequest): RawRequest {
  const [path = '', query = ''] = (raw.url ?? '').split(/\?(.*)/s, 2);
  const given = [...new URLSearchParams(query)].reverse();
  const lines = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ]);
  return {
    method,
    path,
    headers: Object.fromEntries(lines),
    query: Object.fromEntries(given),
    ...(query !== '' && { search: `?${query}` }),
    body: body instanceof Uint8Array ? body : new Uint8Array(),
  };
}
