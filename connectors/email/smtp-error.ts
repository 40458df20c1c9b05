import { z } from 'zod';
import { ConnectorError, type RetryAdvice } from '../../core/contract/connector-error.ts';
import { lenient } from '../shared/lenient.ts';

const schema = z.object({
  code: lenient(z.string()),
  responseCode: lenient(z.int()),
  response: lenient(z.string()),
  message: z.string(),
});

const LONGEST = 400;
/** Providers count the mails of a day, and say so for good where they mean until tomorrow. */
const DAILY =
  /\b[45]\.4\.5\b|daily (user )?sending|sending (quota|limit)|too many (messages|recipients|mails)/i;
const DAILY_PAUSE_MS = 60 * 60 * 1_000;

/** What an SMTP server, or the way to it, refused: 4xx may pass, 5xx does not, and a refused login ends the account. */
export function smtpError(error: unknown): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const { data } = schema.safeParse(error);
  if (data === undefined)
    return new ConnectorError(`Mail cannot be sent: ${String(error)}`, { advice: { retry: 'backoff' } });
  const { code, responseCode, response, message } = data;
  const words = (response ?? message).replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST);
  if (code === 'EAUTH' || code === 'ENOAUTH') {
    const isPassing = responseCode !== null && responseCode < 500;
    return new ConnectorError(`The SMTP server refuses the login: ${words}`, {
      advice: { retry: isPassing ? 'backoff' : 'never' },
      account: !isPassing,
    });
  }
  if (responseCode === null || responseCode === 0) {
    return new ConnectorError(`The SMTP server cannot be reached: ${words}`, {
      advice: { retry: 'backoff' },
    });
  }
  return new ConnectorError(`The SMTP server refuses: ${words}`, { advice: adviceOf(responseCode, words) });
}

function adviceOf(code: number, words: string): RetryAdvice {
  if (DAILY.test(words)) return { retry: 'after', afterMs: DAILY_PAUSE_MS, limited: 'account' };
  return { retry: code >= 500 ? 'never' : 'backoff' };
}
