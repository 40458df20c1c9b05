import type { ImapFlow } from 'imapflow';
import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { optionalField } from '../shared/http.ts';
import { findConnectionProblem, findLoginProblem, MailFault } from './mail-fault.ts';
import {
  connectionOptions,
  discardToken,
  resolveAddresses,
  resolveLogin,
  type ServerLogin,
} from './mail-server.ts';
import type { MailServer } from './manifest.ts';

/** Opens a connection, uses it and closes it, also when `tools.signal` is aborted. Throws ConnectorErrors. */
export async function withImap<Result>(
  server: MailServer,
  tools: Tools,
  use: (client: ImapFlow) => Promise<Result>,
): Promise<Result> {
  const client = await openImap(server, tools);
  const close = () => client.close();
  tools.signal.addEventListener('abort', close, { once: true });
  try {
    return await use(client);
  } catch (error) {
    throw imapError(error);
  } finally {
    tools.signal.removeEventListener('abort', close);
    client.close();
  }
}

const CONNECT_MS = 8_000;
const SILENCE_MS = 90_000;
const IDLE_MS = 240_000;
/** More than the largest mail that is fetched, so that a server cannot exhaust the memory. */
const MAX_LITERAL = 64_000_000;
const MAX_RESPONSE = 80_000_000;

/** Returns a logged-in connection, at the first of the server's addresses that accepts one. Throws ConnectorErrors. */
export async function openImap(server: MailServer, tools: Tools): Promise<ImapFlow> {
  const login = await resolveLogin(server, tools);
  let last: unknown;
  for (const address of await resolveAddresses('IMAP', server, tools)) {
    const client = await createClient(address, server, login);
    // Errors between two commands have no other listener and would end the process.
    client.on('error', () => {});
    const close = () => client.close();
    tools.signal.addEventListener('abort', close, { once: true });
    try {
      await client.connect();
      return client;
    } catch (error) {
      client.close();
      last = error;
      if (!isUnreachable(error)) break;
    } finally {
      tools.signal.removeEventListener('abort', close);
    }
  }
  const fault = imapError(last);
  if (fault.account && server.oauth !== undefined) discardToken(server.oauth);
  throw fault;
}

async function createClient(address: string, server: MailServer, login: ServerLogin): Promise<ImapFlow> {
  // The library consists of a hundred files, so only installations with a mailbox load it.
  const { ImapFlow } = await import('imapflow');
  const { port, isImplicit, isRequired, name, tls } = connectionOptions(server);
  return new ImapFlow({
    host: address,
    port,
    ...name,
    secure: isImplicit,
    ...(isRequired && !isImplicit && { doSTARTTLS: true }),
    tls,
    auth: login,
    clientInfo: { name: 'Parley' },
    logger: false,
    // The listener calls `idle()` itself. The client would wait 15 seconds before it does.
    disableAutoIdle: true,
    maxIdleTime: IDLE_MS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    maxLiteralSize: MAX_LITERAL,
    maxResponseSize: MAX_RESPONSE,
  });
}

function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'CONNECT_TIMEOUT'].includes(
    String(error.code),
  );
}

const schema = z.object({
  message: z.string(),
  authenticationFailed: optionalField(z.boolean()),
  mailboxMissing: optionalField(z.boolean()),
  serverResponseCode: optionalField(z.string()),
  responseText: optionalField(z.string()),
  response: optionalField(z.string()),
  code: optionalField(z.string()),
});

const MAX_ERROR_CHARS = 400;
/** An overloaded server, or one with too many connections, reports this in its response to the login. */
const TRANSIENT = /^(UNAVAILABLE|INUSE|LIMIT|SERVERBUG|OVERQUOTA)$|too many|try again|temporar/i;

/** Converts an error of imapflow, with the server's own words. */
export function imapError(error: unknown): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const { data } = schema.safeParse(error);
  if (data === undefined) {
    return new ConnectorError(`Mail cannot be read: ${String(error)}`, { advice: { retry: 'backoff' } });
  }
  const { authenticationFailed, mailboxMissing, serverResponseCode: code } = data;
  const words = (data.responseText ?? data.response ?? data.message).replaceAll(/\s+/g, ' ').trim();
  const message = words.slice(0, MAX_ERROR_CHARS);
  if (authenticationFailed === true) {
    const isPassing = TRANSIENT.test(code ?? '') || TRANSIENT.test(message);
    const details = { advice: { retry: isPassing ? 'backoff' : 'never' }, account: !isPassing } as const;
    const problem = findLoginProblem(message, isPassing);
    return new MailFault(`The IMAP server refused the login: ${message}`, details, problem);
  }
  if (mailboxMissing === true || code === 'NONEXISTENT') {
    const details = { advice: { retry: 'never' } } as const;
    return new MailFault(`The folder does not exist on the IMAP server: ${message}`, details, 'no_folder');
  }
  const problem = findConnectionProblem([data.code ?? ''], message);
  const details = { advice: { retry: 'backoff' } } as const;
  return new MailFault(`The IMAP server cannot be used: ${message}`, details, problem);
}
