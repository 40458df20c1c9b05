import { z } from 'zod';
import { CommandError } from '../command-error.ts';
import { hintFor } from '../hint-for.ts';
import type { Exchange } from './exchange.ts';
import type { CallOptions, OperatorApi } from './operator-api.ts';

const errorBody = z.object({ detail: z.string(), code: z.string(), request_id: z.string().optional() });

/** The operator's calls as requests over `exchange`: encoding, authorization and errors. */
export function apiOver(exchange: Exchange, adminToken: string): OperatorApi['call'] {
  return async (method, path, options = {}) => {
    const { headers, body } = await encode(options.body);
    const authorization = `Bearer ${options.token ?? adminToken}`;
    const { status, text } = await exchange({ method, path, headers: { ...headers, authorization }, body });
    const answer = text === '' ? null : parseJson(text);
    if (status >= 200 && status < 300) return answer;
    throw describe(answer, { status, path });
  };
}

async function encode(
  body: CallOptions['body'],
): Promise<{ headers: Record<string, string>; body: Uint8Array | null }> {
  if (body === undefined) return { headers: {}, body: null };
  if (!(body instanceof FormData)) {
    return { headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) };
  }
  const form = new Response(body);
  return {
    headers: { 'content-type': form.headers.get('content-type') ?? '' },
    body: new Uint8Array(await form.arrayBuffer()),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError('The server answered with something other than JSON.', {
      code: 'not_parley',
      hint: 'Check that --server is the address of a Parley server.',
    });
  }
}

interface Answered {
  readonly status: number;
  readonly path: string;
}

function describe(answer: unknown, { status, path }: Answered): CommandError {
  const parsed = errorBody.safeParse(answer);
  if (!parsed.success) {
    return new CommandError(`The server answered with status ${status}.`, {
      code: 'not_parley',
      hint: 'Check that --server is the address of a Parley server.',
    });
  }
  const { detail, code, request_id: requestId } = parsed.data;
  return new CommandError(detail, { code, hint: hintFor(code, { status, requestId, path }) });
}
