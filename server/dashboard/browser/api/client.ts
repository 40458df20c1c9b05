import createClient from 'openapi-fetch';
import type { paths } from './api-types.ts';
import { problemOf, readProblem, unreachable } from './problem.ts';
import { fetchProven } from './prove.ts';

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

interface SendOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: object;
  /** Leaves a 401 to the caller, because sign-in handles it. */
  readonly keepPage?: boolean;
}

/** Calls a path that is not in the API's description, such as sign-in. The caller names the type of the answer. */
export async function send<Data>(
  path: string,
  { method = 'GET', body, keepPage = false }: SendOptions = {},
): Promise<Data> {
  let response: Response;
  try {
    response = await fetchProven(
      new Request(path, {
        method,
        credentials: 'same-origin',
        headers: method === 'GET' ? {} : { 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
      }),
    );
  } catch {
    throw unreachable();
  }
  if (!response.ok) {
    const problem = await readProblem(response);
    // A wrong code or password is answered with 401 as well.
    if (!keepPage && !problem.code.startsWith('INVALID_')) leaveIfSignedOut(response);
    throw problem;
  }
  const text = await response.text();
  return JSON.parse(text === '' ? 'null' : text);
}

const signInPath = '/dashboard/sign-in';

/** If the session has ended, the page goes to sign-in, and from there back to this address. */
function leaveIfSignedOut(response: Response): void {
  if (response.status !== 401 || location.pathname === signInPath) return;
  const back = location.pathname + location.search;
  location.replace(`${signInPath}?${new URLSearchParams({ return: back })}`);
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
