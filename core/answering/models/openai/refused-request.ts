import type { IncomingHttpHeaders } from 'node:http';
import { fieldOf } from '../field-of.ts';

interface Refusal {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** A provider answered with a status that is no success; `message` is what it said of it. */
export class RefusedRequest extends Error {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;

  constructor(body: string, { status, headers }: Refusal) {
    super(`${status} ${reasonIn(body)}`);
    this.name = 'RefusedRequest';
    this.status = status;
    this.headers = headers;
  }
}

/** OpenAI's dialect has `{"error": {"message"}}`; some servers say less, and proxies what they like. */
function reasonIn(body: string): string {
  try {
    const error = fieldOf(JSON.parse(body), 'error');
    const message = fieldOf(error, 'message') ?? error;
    return typeof message === 'string' ? message : body;
  } catch {
    return body;
  }
}
