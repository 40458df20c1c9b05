import type { FastifyInstance } from 'fastify';
import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './api-types.ts';

export type ApiClient = Client<paths>;

/** Clients that take their types from /openapi.json, as an integrator's do, of a server that listens on a free port. */
export async function openApiClients(app: FastifyInstance): Promise<(token: string) => ApiClient> {
  const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' });
  return (token) => createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
}
