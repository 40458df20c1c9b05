import {
  type Logger,
  LogLevel,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
} from '@slack/web-api';
import { within } from '../../core/contract/abort-signal.ts';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { platformError } from '../shared/platform-error.ts';
import { unreachableError } from '../shared/unreachable-error.ts';
import type { SlackAccount } from './manifest.ts';
import type { Outcome, Refusal } from './refusal.ts';

export type CallTools = Pick<Tools, 'fetch' | 'signal' | 'now'>;

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

const silent: Logger = {
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
): Promise<Outcome<Result>> {
  const shown = token === undefined ? botToken(account) : (token ?? undefined);
  const open = (signal: AbortSignal) =>
    new WebClient(shown, {
      slackApiUrl: apiOf(account),
      fetch: (input, init) => tools.fetch(input, { ...init, signal }),
      logger: silent,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      ...teamOf(account, team),
    });
  try {
    const waiting = { timeoutMs: TIMEOUT_MS, signal: tools.signal };
    return { ok: true, result: await within(waiting, (signal) => run(open(signal))) };
  } catch (error) {
    return { ok: false, refusal: refusalOf(error, method, { account, tools }) };
  }
}

export function apiOf({ settings }: SlackAccount): string {
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
function teamOf({ profile }: SlackAccount, team: string | undefined): { teamId?: string } {
  return profile.is_enterprise_install === true && team?.startsWith('T') ? { teamId: team } : {};
}

function refusalOf(
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
  return unreachableError('Slack', cause, secretsOf(account));
}

function secretsOf({ credentials }: SlackAccount): readonly string[] {
  return Object.values(credentials).filter((secret) => secret !== undefined);
}
