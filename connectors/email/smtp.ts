import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError, type RetryAdvice } from '../../core/contract/connector-error.ts';
import { optionalField } from '../shared/http.ts';
import { findConnectionProblem, findLoginProblem, MailFault } from './mail-fault.ts';
import { connectionOptions, discardToken, resolveAddresses, resolveLogin } from './mail-server.ts';
import type { MailServer } from './manifest.ts';

const CONNECT_MS = 8_000;
const ANSWER_MS = 12_000;

type Transport = Awaited<ReturnType<typeof createTransportAt>>;

/** Uses the SMTP server at the first of its addresses that accepts a connection. Throws ConnectorErrors. */
export async function withSmtp<Result>(
  server: MailServer,
  tools: Tools,
  use: (transport: Transport) => Promise<Result>,
): Promise<Result> {
  const login = await resolveLogin(server, tools);
  const addresses = await resolveAddresses('SMTP', server, tools);
  let last: unknown;
  for (const address of addresses) {
    const transport = await createTransportAt(address, server, login);
    const close = () => transport.close();
    tools.signal.addEventListener('abort', close, { once: true });
    try {
      return await use(transport);
    } catch (error) {
      last = error;
      if (!isUnreachable(error)) break;
    } finally {
      tools.signal.removeEventListener('abort', close);
      transport.close();
    }
  }
  throw deliveryError(last, server);
}

/** A server can refuse an access token before it expires. A new token may be accepted, so the send is retried. */
function deliveryError(error: unknown, { oauth }: MailServer): ConnectorError {
  const fault = smtpError(error);
  if (!fault.account || oauth === undefined) return fault;
  discardToken(oauth);
  return new ConnectorError(fault.message, { advice: { retry: 'backoff' }, account: true });
}

async function createTransportAt(
  address: string,
  server: MailServer,
  login: Awaited<ReturnType<typeof resolveLogin>>,
) {
  // Only installations with a mailbox load the library.
  const { createTransport } = await import('nodemailer');
  const { port, isImplicit, isRequired, name, tls } = connectionOptions(server);
  return createTransport({
    host: address,
    port,
    ...name,
    secure: isImplicit,
    requireTLS: isRequired && !isImplicit,
    opportunisticTLS: !isRequired,
    tls,
    auth: 'pass' in login ? login : { type: 'OAuth2', ...login },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: ANSWER_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

const schema = z.object({
  code: optionalField(z.string()),
  /** The code of the system, where the library puts its own in `code`. */
  originalCode: optionalField(z.string()),
  responseCode: optionalField(z.int()),
  response: optionalField(z.string()),
  syscall: optionalField(z.string()),
  timeoutType: optionalField(z.string()),
  message: z.string(),
});

const SILENT = ['CONNECT_TIMEOUT', 'GREETING_TIMEOUT'];

/**
 * True if no server answered. Its `command` does not tell: nodemailer gives CONN to faults after the mail, too, and then
 * another address may get it a second time.
 */
function isUnreachable(error: unknown): boolean {
  const { data } = schema.safeParse(error);
  return data?.syscall === 'connect' || SILENT.includes(data?.timeoutType ?? '');
}

const MAX_ERROR_CHARS = 400;
/** Providers report their daily limit as a permanent error, but accept mail again the next day. */
const DAILY_LIMIT =
  /\b[45]\.4\.5\b|daily (user )?sending|sending (quota|limit)|too many (messages|recipients|mails)/i;
const DAILY_PAUSE_MS = 60 * 60 * 1_000;

/** Converts an error of nodemailer: 4xx can be retried, 5xx cannot, and a refused login disables the account. */
function smtpError(error: unknown): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const { data } = schema.safeParse(error);
  if (data === undefined)
    return new ConnectorError(`Mail cannot be sent: ${String(error)}`, { advice: { retry: 'backoff' } });
  const { code, responseCode, response, message: fallback } = data;
  const message = (response ?? fallback).replaceAll(/\s+/g, ' ').trim().slice(0, MAX_ERROR_CHARS);
  if (code === 'EAUTH' || code === 'ENOAUTH') {
    const isPassing = responseCode !== null && responseCode < 500;
    const advice = { retry: isPassing ? 'backoff' : 'never' } as const;
    const details = { advice, account: !isPassing, untaken: true };
    const problem = findLoginProblem(message, isPassing);
    return new MailFault(`The SMTP server refused the login: ${message}`, details, problem);
  }
  if (responseCode === null || responseCode === 0) {
    const codes = [code, data.originalCode, data.timeoutType].filter((each) => each !== null);
    const details = { advice: { retry: 'backoff' }, untaken: isUnreachable(error) } as const;
    const problem = findConnectionProblem(codes, message);
    return new MailFault(`The SMTP server cannot be reached: ${message}`, details, problem);
  }
  const details = { advice: retryAdviceFor(responseCode, message), untaken: true };
  const problem = code === 'ETLS' ? 'no_tls' : 'other';
  return new MailFault(`The SMTP server refused the request: ${message}`, details, problem);
}

function retryAdviceFor(code: number, message: string): RetryAdvice {
  if (DAILY_LIMIT.test(message)) return { retry: 'after', afterMs: DAILY_PAUSE_MS, limited: 'account' };
  return { retry: code >= 500 ? 'never' : 'backoff' };
}
