import { readProblem, unreachable } from './problem.ts';
import { fetchProven } from './prove.ts';

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
export function leaveIfSignedOut(response: Response): void {
  if (response.status !== 401 || location.pathname === signInPath) return;
  const back = location.pathname + location.search;
  location.replace(`${signInPath}?${new URLSearchParams({ return: back })}`);
}
