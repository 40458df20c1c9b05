import { z } from 'zod';
import { CommandError } from '../command-error.ts';
import type { CallOptions, Method, OperatorApi } from './operator-api.ts';

export interface ExchangeRequest {
  readonly method: Method;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** Sends one request over any transport and returns its response. */
export type Exchange = (
  request: ExchangeRequest,
) => Promise<{ readonly status: number; readonly text: string }>;

const errorResponse = z.object({ detail: z.string(), code: z.string(), request_id: z.string().optional() });

/** Creates the operator's API calls on top of `exchange`: encoding, authorization and errors. */
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
    throw new CommandError('The server did not respond with JSON.', {
      code: 'not_parley',
      hint: 'Check that --server is the URL of a Parley server.',
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
    return new CommandError(`The server responded with status ${status}.`, {
      code: 'not_parley',
      hint: 'Check that --server is the URL of a Parley server.',
    });
  }
  const { detail, code, request_id: requestId } = parsed.data;
  return new CommandError(detail, { code, hint: findHint(code, { status, requestId, path }) });
}

const hints: Readonly<Record<string, string>> = {
  workspace_not_found: 'List the workspaces: npm run parley -- workspace list',
  invalid_workspace_id: 'List the workspaces: npm run parley -- workspace list',
  document_not_found: 'List the documents: npm run parley -- document list',
  channel_not_found: 'List the channels: npm run parley -- channel list',
  unknown_parent: 'List the channels: npm run parley -- channel list',
  channel_verification_failed: 'Correct the credentials, or skip the check: --set verify=false',
  invalid_credentials: 'See how to give credentials: npm run parley -- channel add --help',
  key_not_found: 'List the keys: npm run parley -- key list',
  webhook_not_found: 'List the webhooks: npm run parley -- webhook list',
  delivery_not_found: 'List the deliveries: npm run parley -- webhook deliveries ID',
  conversation_not_found: 'Leave out --conversation to start a new one.',
  feature_not_in_plan: 'Change the plan: npm run parley -- workspace update ID --plan starter',
  quota_exhausted: 'Change to a larger plan: npm run parley -- workspace update ID --plan growth',
  invalid_settings: 'See the settings: npm run parley -- workspace update --help',
};

const wrongToken =
  "Set ADMIN_TOKEN to the operator's token of that server, or DATA_DIR to its data directory.";

interface ErrorContext {
  readonly status: number;
  readonly requestId: string | undefined;
  /** The path of the request. */
  readonly path: string;
}

/** Returns the next step after an error of the API, or undefined if the message already says it. */
function findHint(code: string, { status, requestId, path }: ErrorContext): string | undefined {
  if (status === 401) return wrongToken;
  if (status === 429 || status === 503) return hints[code] ?? 'Try again later.';
  if (status >= 500) return `Look for request id ${requestId ?? 'unknown'} in the server's log.`;
  // Settings of channels differ from those of workspaces, and the API names the invalid one.
  if (code === 'invalid_settings' && path.includes('/channels')) return undefined;
  if (code === 'conversation_not_found' && path.startsWith('/admin'))
    return 'List the conversations: npm run parley -- conversation list';
  return hints[code];
}
