import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { forgetToken } from './access-token.ts';
import type { MailServer } from './manifest.ts';
import { serverAddresses } from './server-addresses.ts';
import { serverLogin } from './server-login.ts';
import { serverPlace } from './server-place.ts';
import { smtpError } from './smtp-error.ts';

const CONNECT_MS = 8_000;
const ANSWER_MS = 12_000;

type Transport = Awaited<ReturnType<typeof openAt>>;

/** Uses the SMTP server at the first of its addresses that takes a connection. Throws ConnectorErrors. */
export async function withSmtp<Result>(
  server: MailServer,
  tools: Tools,
  use: (transport: Transport) => Promise<Result>,
): Promise<Result> {
  const login = await serverLogin(server, tools);
  const addresses = await serverAddresses('SMTP', server, tools);
  let last: unknown;
  for (const address of addresses) {
    const transport = await openAt(address, server, login);
    const end = () => transport.close();
    tools.signal.addEventListener('abort', end, { once: true });
    try {
      return await use(transport);
    } catch (error) {
      last = error;
      if (!isUnreached(error)) break;
    } finally {
      tools.signal.removeEventListener('abort', end);
      transport.close();
    }
  }
  throw refusalOf(last, server);
}

/** A token may be refused before its time: with the next one the same mail may go out. */
function refusalOf(error: unknown, { oauth }: MailServer): ConnectorError {
  const fault = smtpError(error);
  if (!fault.account || oauth === undefined) return fault;
  forgetToken(oauth);
  return new ConnectorError(fault.message, { advice: { retry: 'backoff' }, account: true });
}

async function openAt(address: string, server: MailServer, login: Awaited<ReturnType<typeof serverLogin>>) {
  // Read by an installation with a mailbox only.
  const { createTransport } = await import('nodemailer');
  const { port, isImplicit, isRequired, name, tls } = serverPlace(server);
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
function isUnreached(error: unknown): boolean {
  return (
    error instanceof Error && 'command' in error && error.command === 'CONN' && !('responseCode' in error)
  );
}
