/** A failed request, as the server described it. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  /** Messages by the path of their field, such as `settings.name`. */
  readonly fields: Readonly<Record<string, string>>;

  constructor({ status, code, detail, requestId, fields = {} }: ProblemParts) {
    super(detail);
    this.name = 'Problem';
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.fields = fields;
  }
}

interface ProblemParts {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly requestId: string | null;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Describes a failed response. Sign-in calls answer `{ code, message }`, all others `{ detail, code, request_id }`. */
export async function readProblem(response: Response): Promise<Problem> {
  return problemOf(response, await readBody(response));
}

/** The same with the body of the response, which was read already. */
export function problemOf(response: Response, body: unknown): Problem {
  return new Problem({
    status: response.status,
    code: textOf(body, 'code') ?? `http_${response.status}`,
    detail: textOf(body, 'detail') ?? textOf(body, 'message') ?? response.statusText,
    requestId: textOf(body, 'request_id') ?? response.headers.get('x-request-id'),
    fields: readFields(body),
  });
}

/** The server was not reached at all. */
export function unreachable(): Problem {
  return new Problem({ status: 0, code: 'unreachable', detail: '', requestId: null });
}

/** Any thrown value as a problem. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  // `fetch` reports a lost connection so.
  if (error instanceof TypeError) return unreachable();
  return new Problem({ status: 0, code: 'unexpected', detail: String(error), requestId: null });
}

async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.clone().json();
  } catch {
    return null;
  }
}

function textOf(body: unknown, key: string): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const value: unknown = Reflect.get(body, key);
  return typeof value === 'string' ? value : null;
}

function readFields(body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null) return {};
  const fields: unknown = Reflect.get(body, 'fields');
  if (typeof fields !== 'object' || fields === null) return {};
  return Object.fromEntries(
    Object.entries(fields).flatMap(([path, text]) => (typeof text === 'string' ? [[path, text]] : [])),
  );
}
