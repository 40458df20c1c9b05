import {
  type Logger,
  LogLevel,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
} from '@slack/web-api';
import { withDeadline } from '../../core/contract/abort-signal.ts';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError, type RetryAdvice } from '../../core/contract/connector-error.ts';
import { platformError, unreachableError } from '../shared/http.ts';
import type { SlackAccount } from './manifest.ts';

type CallTools = Pick<Tools, 'fetch' | 'signal' | 'now'>;

interface Call<Result> {
  /** The name that error messages show. */
  readonly method: string;
  /** Defaults to the bot token. Null for methods that need no token. */
  readonly token?: string | null;
  /** The team that the call concerns, if it concerns one. */
  readonly team?: string;
  run(client: WebClient): Promise<Result>;
}

const HOME = 'https://slack.com';
const TIMEOUT_MS = 14_000;

const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

/**
 * Calls Slack once through its SDK, with the SDK's retries off: the outbox decides about retries. Returns a refusal that
 * Slack gave as an error code. Throws a ConnectorError if Slack cannot be reached or its response cannot be parsed.
 */
export async function callSlack<Result>(
  { method, token, team, run }: Call<Result>,
  account: SlackAccount,
  tools: CallTools,
): Promise<CallOutcome<Result>> {
  const bearer = token === undefined ? botToken(account) : (token ?? undefined);
  const open = (signal: AbortSignal) =>
    new WebClient(bearer, {
      slackApiUrl: apiBaseUrl(account),
      fetch: (input, init) => tools.fetch(input, { ...init, signal }),
      logger: silentLogger,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      ...teamArgument(account, team),
    });
  try {
    const deadline = { timeoutMs: TIMEOUT_MS, signal: tools.signal };
    return { ok: true, result: await withDeadline(deadline, (signal) => run(open(signal))) };
  } catch (error) {
    return { ok: false, refusal: parseRefusal(error, method, { account, tools }) };
  }
}

export function apiBaseUrl({ settings }: SlackAccount): string {
  const base = (settings.api_base_url ?? HOME).replace(/(?<!\/)\/+$/, '');
  return base.endsWith('/api') ? `${base}/` : `${base}/api/`;
}

function botToken({ credentials }: SlackAccount): string {
  if (credentials.bot_token !== undefined) return credentials.bot_token;
  throw new ConnectorError(
    'The Slack app is not installed in this team: the channel has no bot_token. Install the app, or set bot_token.',
    {
      advice: { retry: 'never' },
    },
  );
}

/** The token of an organisation-wide installation does not identify a team, so the call names the team. */
function teamArgument({ profile }: SlackAccount, team: string | undefined): { teamId?: string } {
  return profile.is_enterprise_install === true && team?.startsWith('T') ? { teamId: team } : {};
}

function parseRefusal(
  error: unknown,
  method: string,
  { account, tools }: { account: SlackAccount; tools: CallTools },
): Refusal {
  const code: unknown = error instanceof WebAPIPlatformError ? error.data.error : undefined;
  if (error instanceof WebAPIPlatformError && typeof code === 'string' && /^[a-z][a-z0-9_]{0,99}$/.test(code))
    return { method, code, details: error.data.response_metadata?.messages ?? [] };
  throw callError(error, { account, tools });
}

function callError(
  error: unknown,
  { account, tools }: { account: SlackAccount; tools: CallTools },
): ConnectorError {
  if (error instanceof ConnectorError) return error;
  if (error instanceof WebAPIRateLimitedError) {
    return new ConnectorError('Slack rate limit reached.', {
      advice: { retry: 'after', afterMs: error.retryAfter * 1_000, limited: 'unsaid' },
    });
  }
  if (error instanceof WebAPIHTTPError) {
    const { statusCode: status } = error;
    return platformError(
      `Slack responded with status ${status}.`,
      { status, headers: new Headers(error.headers), foreign: true },
      tools.now(),
    );
  }
  if (error instanceof WebAPIPlatformError) {
    return new ConnectorError('Slack returned a response that cannot be parsed.', {
      advice: { retry: 'backoff' },
      foreign: true,
    });
  }
  const cause = error instanceof WebAPIRequestError ? error.original : error;
  return unreachableError('Slack', cause, accountSecrets(account));
}

function accountSecrets({ credentials }: SlackAccount): readonly string[] {
  return Object.values(credentials).filter((secret) => secret !== undefined);
}

/** Calls a method and throws a ConnectorError for every refusal. */
export async function callSlackOrThrow<Result>(
  ...[call, account, tools]: Parameters<typeof callSlack<Result>>
): Promise<Result> {
  const outcome = await callSlack(call, account, tools);
  if (outcome.ok) return outcome.result;
  throw refusalError(outcome.refusal);
}

/** An error response of the Web API. */
export interface Refusal {
  readonly method: string;
  /** Such as `channel_not_found`. */
  readonly code: string;
  /** `response_metadata.messages`: explanations for developers. */
  readonly details: readonly string[];
}

/** The result of a call. A refusal is a value and not an exception because callers can recover from some codes. */
export type CallOutcome<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly refusal: Refusal };

const LIMITED_MS = 1_000;
const ACCOUNT = new Set(['invalid_auth', 'account_inactive', 'token_revoked', 'token_expired', 'not_authed']);
const UNREACHABLE = new Set([
  'channel_not_found',
  'is_archived',
  'not_in_channel',
  'cannot_dm_bot',
  'user_disabled',
  'messages_tab_disabled',
]);
const LIMITED = new Set(['ratelimited', 'rate_limited']);
const PASSING = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
]);

export function refusalError({ method, code, details }: Refusal): ConnectorError {
  return new ConnectorError([`Slack refused ${method}: ${code}`, ...details].join('. '), {
    advice: retryAdviceFor(code),
    account: ACCOUNT.has(code),
    unreachable: UNREACHABLE.has(code),
  });
}

function retryAdviceFor(code: string): RetryAdvice {
  if (LIMITED.has(code)) return { retry: 'after', afterMs: LIMITED_MS, limited: 'unsaid' };
  return { retry: PASSING.has(code) ? 'backoff' : 'never' };
}
