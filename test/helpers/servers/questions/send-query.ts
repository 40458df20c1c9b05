import type { FastifyInstance, LightMyRequestResponse } from 'fastify';

interface QueryToSend {
  readonly key: string;
  readonly body: object;
  readonly idempotencyKey?: string | undefined;
}

/** A query with an idempotency key; without a port. */
export function sendQuery(
  app: FastifyInstance,
  { key, body, idempotencyKey }: QueryToSend,
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'POST',
    url: '/v1/query',
    headers: {
      authorization: `Bearer ${key}`,
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    payload: body,
  });
}
