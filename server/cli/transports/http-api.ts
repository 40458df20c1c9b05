import { z } from 'zod';
import { CommandError } from '../command-error.ts';
import type { CallOptions, Method, OperatorApi } from './operator-api.ts';

export interface ExchangeRequest {
  readonly method: Method;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** One request and its answer, over whatever carries them. */
export type Exchange = (
  request: ExchangeRequest,
) => Promise<{ readonly status: number; readonly text: string }>;

const errorResponse = z.object({ detail: z.string(), code: z.string(), request_id: z.string().optional() });

/** The operator's calls as requests over `exchange`: encoding, authorization and errors. */
export function createApiCall(exchange: Exchange, adminToken: string): OperatorApi['call'] {
  return async (method, path, options = {}) => {
    const { headers, body } = await encode(options.body);
    const authorization = `Bearer ${options.token ?? adminToken}`;
    const { status, text } = await exchange({ method, path, headers: { ...headers, authorization }, body });
    const answer = text === '' ? null : parseJson(text);
    if (status >= 200 && status < 300) return answer;
    throw toCommandError(answer, { status, path });
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

interface ResponseContext {
  readonly status: number;
  readonly path: string;
}

function toCommandError(answer: unknown, { status, path }: ResponseContext): CommandError {
  const parsed = errorResponse.safeParse(answer);
  if (!parsed.success) {
    return new CommandError(`The server answered with status ${status}.`, {
      code: 'not_parley',
      hint: 'Check that --server is the address of a Parley server.',
    });
  }
  const { detail, code, request_id: requestId } = parsed.data;
  return new CommandError(detail, { code, hint: findHint(code, { status, requestId, path }) });
}

const hints: Readonly<Record<string, string>> = {
  workspace_not_found: 'See the ones there are: npm run parley -- workspace list',
  invalid_workspace_id: 'See the ids there are: npm run parley -- workspace list',
  document_not_found: 'See the ones there are: npm run parley -- document list',
  channel_not_found: 'See the ones there are: npm run parley -- channel list',
  unknown_parent: 'See the ones there are: npm run parley -- channel list',
  channel_verification_failed: 'To store it without asking the platform: --set verify=false',
  invalid_credentials: 'See how they are given: npm run parley -- channel add --help',
  key_not_found: 'See the ones there are: npm run parley -- key list',
  conversation_not_found: 'Leave out --conversation to start a new one.',
  feature_not_in_plan: 'Change the plan: npm run parley -- workspace update ID --plan starter',
  quota_exhausted: 'A larger plan has more: npm run parley -- workspace update ID --plan growth',
  invalid_settings: 'See what each setting takes: npm run parley -- workspace update --help',
};

const wrongToken = "Set ADMIN_TOKEN to that server's operator token, or DATA_DIR to the folder that it uses.";

interface ErrorContext {
  readonly status: number;
  readonly requestId: string | undefined;
  /** What was called. */
  readonly path: string;
}

/** What to do next after an error of the API, or undefined where its own words say it. */
function findHint(code: string, { status, requestId, path }: ErrorContext): string | undefined {
  if (status === 401) return wrongToken;
  if (status === 429 || status === 503) return hints[code] ?? 'Try again in a while.';
  if (status >= 500) return `The server's log says more under request id ${requestId ?? 'unknown'}.`;
  // The settings of a channel are its own: the API's words say which is wrong.
  if (code === 'invalid_settings' && path.includes('/channels')) return undefined;
  if (code === 'conversation_not_found' && path.startsWith('/admin'))
    return 'See the ones there are: GET /v1/conversations';
  return hints[code];
}
