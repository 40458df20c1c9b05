import createClient from 'openapi-fetch';
import type { paths } from './api-types.ts';
import { problemOf, unreachable } from './problem.ts';
import { fetchProven } from './prove.ts';
import { leaveIfSignedOut } from './send.ts';

/** The client of `/admin/v1`, typed by the API's own description. Wrap calls in `answer`. */
export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin', fetch: fetchProven });

api.use({
  onRequest: ({ request }) => {
    // The server takes JSON only with a value.
    if (request.method !== 'POST' || request.body !== null) return request;
    const headers = new Headers(request.headers);
    headers.set('content-type', 'application/json');
    return new Request(request, { body: '{}', headers });
  },
  onResponse: ({ response }) => leaveIfSignedOut(response),
});

/** Returns the data of a call, or throws its `Problem`. */
export async function answer<Data>(
  call: Promise<{ readonly data?: Data; readonly error?: unknown; readonly response: Response }>,
): Promise<Data> {
  const {
    data,
    error: body,
    response,
  } = await call.catch((error: unknown) => {
    throw error instanceof TypeError ? unreachable() : error;
  });
  if (!response.ok || data === undefined) throw problemOf(response, body);
  return data;
}

/** Awaits a call that answers without a body, or throws its `Problem`. */
export async function finish(
  call: Promise<{ readonly error?: unknown; readonly response: Response }>,
): Promise<void> {
  const { error: body, response } = await call.catch((error: unknown) => {
    throw error instanceof TypeError ? unreachable() : error;
  });
  if (!response.ok) throw problemOf(response, body);
}
