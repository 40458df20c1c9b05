import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError, type RetryAdvice } from '../../core/contract/connector-error.ts';
import { optionalField } from '../shared/payload.ts';
import { connectionOptions, discardToken, resolveAddresses, resolveLogin } from './mail-server.ts';
import type { MailServer } from './manifest.ts';

const CONNECT_MS = 8_000;
const ANSWER_MS = 12_000;

type Transport = Awaited<ReturnType<typeof createTransportAt>>;

/** Uses the SMTP server at the first of its addresses that takes a connection. Throws ConnectorErrors. */
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
    const end = () => transport.close();
    tools.signal.addEventListener('abort', end, { once: true });
    try {
      return await use(transport);
    } catch (error) {
      last = error;
      if (!isUnreachable(error)) break;
    } finally {
      tools.signal.removeEventListener('abort', end);
      transport.close();
    }
  }
  throw deliveryError(last, server);
}

/** A token may be refused before its time: with the next one the same mail may go out. */
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
  // Read by an installation with a mailbox only.
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

/** No server was there to refuse anything. */
function isUnreachable(error: unknown): boolean {
  return (
    error instanceof Error && 'command' in error && error.command === 'CONN' && !('responseCode' in error)
  );
}

const schema = z.object({
  code: optionalField(z.string()),
  responseCode: optionalField(z.int()),
  response: optionalField(z.string()),
  message: z.string(),
});

const LONGEST = 400;
/** Providers count the mails of a day, and say so for good where they mean until tomorrow. */
const DAILY_LIMIT =
  /\b[45]\.4\.5\b|daily (user )?sending|sending (quota|limit)|too many (messages|recipients|mails)/i;
const DAILY_PAUSE_MS = 60 * 60 * 1_000;

/** What an SMTP server, or the way to it, refused: 4xx may pass, 5xx does not, and a refused login ends the account. */
function smtpError(error: unknown): ConnectorError {
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
  return new ConnectorError(`The SMTP server refuses: ${words}`, {
    advice: retryAdviceFor(responseCode, words),
  });
}

function retryAdviceFor(code: number, words: string): RetryAdvice {
  if (DAILY_LIMIT.test(words)) return { retry: 'after', afterMs: DAILY_PAUSE_MS, limited: 'account' };
  return { retry: code >= 500 ? 'never' : 'backoff' };
}
