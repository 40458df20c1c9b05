import { ConnectorError, type RetryAdvice } from '../../core/contract/connector-error.ts';

/** What Slack says where it does not do what it was asked. */
export interface Refusal {
  readonly method: string;
  /** Such as `channel_not_found`. */
  readonly code: string;
  /** What it says beside that, for people. */
  readonly details: readonly string[];
}

/** What came of a call: refusals are no exceptions, for some of them can be helped. */
export type Outcome<Result> =
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
    advice: adviceOf(code),
    account: ACCOUNT.has(code),
    unreachable: UNREACHABLE.has(code),
  });
}

function adviceOf(code: string): RetryAdvice {
  if (LIMITED.has(code)) return { retry: 'after', afterMs: LIMITED_MS, limited: 'unsaid' };
  return { retry: PASSING.has(code) ? 'backoff' : 'never' };
}
