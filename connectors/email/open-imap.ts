import type { ImapFlow } from 'imapflow';
import type { Tools } from '../../core/contract/account.ts';
import { forgetToken } from './access-token.ts';
import { imapError } from './imap-error.ts';
import type { MailServer } from './manifest.ts';
import { serverAddresses } from './server-addresses.ts';
import { type ServerLogin, serverLogin } from './server-login.ts';
import { serverPlace } from './server-place.ts';

const CONNECT_MS = 8_000;
const SILENCE_MS = 90_000;
const IDLE_MS = 240_000;
/** More than the largest mail that is read, so that no server fills the memory. */
const MAX_LITERAL = 64_000_000;
const MAX_RESPONSE = 80_000_000;

/** A connection with a login, at the first of the server's addresses that takes one. Throws ConnectorErrors. */
export async function openImap(server: MailServer, tools: Tools): Promise<ImapFlow> {
  const login = await serverLogin(server, tools);
  let last: unknown;
  for (const address of await serverAddresses('IMAP', server, tools)) {
    const client = await clientAt(address, server, login);
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
      if (!isUnreached(error)) break;
    } finally {
      tools.signal.removeEventListener('abort', end);
    }
  }
  const fault = imapError(last);
  if (fault.account && server.oauth !== undefined) forgetToken(server.oauth);
  throw fault;
}

async function clientAt(address: string, server: MailServer, login: ServerLogin): Promise<ImapFlow> {
  // A hundred files, which an installation without a mailbox need not read.
  const { ImapFlow } = await import('imapflow');
  const { port, isImplicit, isRequired, name, tls } = serverPlace(server);
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

function isUnreached(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'CONNECT_TIMEOUT'].includes(
    String(error.code),
  );
}
