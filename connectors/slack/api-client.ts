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
  /** For who reads of it. */
  readonly method: string;
  /** That of the bot when absent; null for calls that need none. */
  readonly token?: string | null;
  /** Where it is about something of one team. */
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
 * Calls Slack once, by its own SDK. Whether it is tried again is not decided there. Throws a ConnectorError where Slack
 * said nothing that we understand.
 */
export async function callSlack<Result>(
  { method, token, team, run }: Call<Result>,
  account: SlackAccount,
  tools: CallTools,
): Promise<CallOutcome<Result>> {
  const shown = token === undefined ? botToken(account) : (token ?? undefined);
  const open = (signal: AbortSignal) =>
    new WebClient(shown, {
      slackApiUrl: apiBaseUrl(account),
      fetch: (input, init) => tools.fetch(input, { ...init, signal }),
      logger: silentLogger,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      ...teamArgument(account, team),
    });
  try {
    const waiting = { timeoutMs: TIMEOUT_MS, signal: tools.signal };
    return { ok: true, result: await withDeadline(waiting, (signal) => run(open(signal))) };
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
  throw new ConnectorError('The app is not installed in this team: there is no bot token.', {
    advice: { retry: 'never' },
  });
}

/** Where an organisation of several teams installed the app, a token does not tell which one is meant. */
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
    return new ConnectorError('Slack holds us back: too much was sent.', {
      advice: { retry: 'after', afterMs: error.retryAfter * 1_000, limited: 'unsaid' },
    });
  }
  if (error instanceof WebAPIHTTPError) {
    const { statusCode: status } = error;
    return platformError(
      `Slack answered with status ${status}.`,
      { status, headers: new Headers(error.headers), foreign: true },
      tools.now(),
    );
  }
  if (error instanceof WebAPIPlatformError) {
    return new ConnectorError('Slack gave an answer that is not understood.', {
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

/** Calls a method that nothing can be done about where it is refused. */
export async function callSlackOrThrow<Result>(
  ...[call, account, tools]: Parameters<typeof callSlack<Result>>
): Promise<Result> {
  const outcome = await callSlack(call, account, tools);
  if (outcome.ok) return outcome.result;
  throw refusalError(outcome.refusal);
}

/** What Slack says where it does not do what it was asked. */
export interface Refusal {
  readonly method: string;
  /** Such as `channel_not_found`. */
  readonly code: string;
  /** What it says beside that, for people. */
  readonly details: readonly string[];
}

/** What came of a call: refusals are no exceptions, for some of them can be helped. */
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
