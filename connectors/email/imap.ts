import type { ImapFlow } from 'imapflow';
import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { optionalField } from '../shared/payload.ts';
import {
  connectionOptions,
  discardToken,
  resolveAddresses,
  resolveLogin,
  type ServerLogin,
} from './mail-server.ts';
import type { MailServer } from './manifest.ts';

/** A connection that lasts as long as it is used, and no longer than `tools.signal` has it. Throws ConnectorErrors. */
export async function withImap<Result>(
  server: MailServer,
  tools: Tools,
  use: (client: ImapFlow) => Promise<Result>,
): Promise<Result> {
  const client = await openImap(server, tools);
  const end = () => client.close();
  tools.signal.addEventListener('abort', end, { once: true });
  try {
    return await use(client);
  } catch (error) {
    throw imapError(error);
  } finally {
    tools.signal.removeEventListener('abort', end);
    client.close();
  }
}

const CONNECT_MS = 8_000;
const SILENCE_MS = 90_000;
const IDLE_MS = 240_000;
/** More than the largest mail that is read, so that no server fills the memory. */
const MAX_LITERAL = 64_000_000;
const MAX_RESPONSE = 80_000_000;

/** A connection with a login, at the first of the server's addresses that takes one. Throws ConnectorErrors. */
export async function openImap(server: MailServer, tools: Tools): Promise<ImapFlow> {
  const login = await resolveLogin(server, tools);
  let last: unknown;
  for (const address of await resolveAddresses('IMAP', server, tools)) {
    const client = await createClient(address, server, login);
    // Nobody else hears of what happens between two commands.
    client.on('error', () => {});
    const end = () => client.close();
    tools.signal.addEventListener('abort', end, { once: true });
    try {
      await client.connect();
      return client;
    } catch (error) {
      client.close();
      last = error;
      if (!isUnreachable(error)) break;
    } finally {
      tools.signal.removeEventListener('abort', end);
    }
  }
  const fault = imapError(last);
  if (fault.account && server.oauth !== undefined) discardToken(server.oauth);
  throw fault;
}

async function createClient(address: string, server: MailServer, login: ServerLogin): Promise<ImapFlow> {
  // A hundred files, which an installation without a mailbox need not read.
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
    // What is idle is said by who listens: the client would wait for 15 seconds before.
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
});

const LONGEST = 400;
/** The server has too much to do, or too many visitors, and says so in the answer to a login. */
const TRANSIENT = /^(UNAVAILABLE|INUSE|LIMIT|SERVERBUG|OVERQUOTA)$|too many|try again|temporar/i;

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
    const isPassing = TRANSIENT.test(code ?? '') || TRANSIENT.test(told);
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
