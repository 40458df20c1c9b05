import { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { lenient } from '../shared/lenient.ts';

const schema = z.object({
  message: z.string(),
  authenticationFailed: lenient(z.boolean()),
  mailboxMissing: lenient(z.boolean()),
  serverResponseCode: lenient(z.string()),
  responseText: lenient(z.string()),
  response: lenient(z.string()),
});

const LONGEST = 400;
/** The server has too much to do, or too many visitors, and says so in the answer to a login. */
const PASSING = /^(UNAVAILABLE|INUSE|LIMIT|SERVERBUG|OVERQUOTA)$|too many|try again|temporar/i;

/** What an IMAP server, or the way to it, refused, in its own words. */
export function imapError(error: unknown): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const { data } = schema.safeParse(error);
  if (data === undefined) {
    return new ConnectorError(`Mail cannot be read: ${String(error)}`, { advice: { retry: 'backoff' } });
  }
  const { authenticationFailed, mailboxMissing, serverResponseCode: code } = data;
  const words = (data.responseText ?? data.response ?? data.message).replaceAll(/\s+/g, ' ').trim();
  const told = words.slice(0, LONGEST);
  if (authenticationFailed === true) {
    const isPassing = PASSING.test(code ?? '') || PASSING.test(told);
    return new ConnectorError(`The IMAP server refuses the login: ${told}`, {
      advice: { retry: isPassing ? 'backoff' : 'never' },
      account: !isPassing,
    });
  }
  if (mailboxMissing === true || code === 'NONEXISTENT') {
    return new ConnectorError(`The IMAP server has no such folder: ${told}`, { advice: { retry: 'never' } });
  }
  return new ConnectorError(`The IMAP server cannot be used: ${told}`, { advice: { retry: 'backoff' } });
}
