import createClient, { type Client } from 'openapi-fetch';
import type { paths } from '../../../../server/dashboard/browser/api/api-types.ts';

export type ApiClient = Client<paths>;

interface ClientOptions {
  readonly baseUrl: string;
  /** None: a caller without one. */
  readonly token?: string;
  /** Hears of every answer, with the operation as `get /v1/…`. */
  readonly heard?: (operation: string, response: Response) => void;
}

/** A client that takes its types from /openapi.json, as an integrator's does. */
export function openApiClient({ baseUrl, token, heard }: ClientOptions): ApiClient {
  const client = createClient<paths>({
    baseUrl,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  });
  client.use({
    onResponse: ({ schemaPath, request, response }) => {
      heard?.(`${request.method.toLowerCase()} ${schemaPath}`, response);
    },
  });
  return client;
}
