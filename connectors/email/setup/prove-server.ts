import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { linkSignal } from '../../../core/contract/abort-signal.ts';
import type { Tools } from '../../../core/contract/account.ts';
import type { FoundServer } from '../../../core/contract/mail/mailbox-setup.ts';

/** Whether a mail server answers at a host that was guessed or named by DNS. */
export type ProveServer = (
  kind: 'incoming' | 'outgoing',
  server: Pick<FoundServer, 'host' | 'port' | 'encryption'>,
  tools: Pick<Tools, 'resolve' | 'signal'>,
) => Promise<boolean>;

/** The first bytes of a server: IMAP says `* OK`, SMTP `220`. */
const GREETINGS = { incoming: '* OK', outgoing: '220' } as const;
const MAX_GREETING = 512;

/**
 * Connects to a server and waits for its greeting, over TLS with a valid certificate where encryption begins at once. Nothing
 * is sent. False if the guard refuses the host, or once `tools.signal` aborts.
 */
export const proveServer: ProveServer = async (kind, server, tools) => {
  try {
    // Only these addresses are connected to: the name may resolve to another one a moment later.
    const [address] = await tools.resolve(server.host);
    if (address === undefined || tools.signal.aborted) return false;
    return await greets(openSocket(address, server), GREETINGS[kind], tools.signal);
  } catch {
    // The host does not exist, or the guard refuses it: either way it is no server to offer.
    return false;
  }
};

function openSocket(address: string, { host, port, encryption }: Parameters<ProveServer>[1]): Socket {
  return encryption === 'tls'
    ? connectTls({ host: address, port, servername: host, minVersion: 'TLSv1.2' })
    : connectPlain({ host: address, port });
}

/** Resolves when the server greeted, failed, closed the connection or said something else. */
function greets(socket: Socket, greeting: string, signal: AbortSignal): Promise<boolean> {
  const { controller, leave } = linkSignal(signal);
  return new Promise<boolean>((resolve) => {
    let received = '';
    const end = (isProven: boolean) => {
      leave();
      socket.destroy();
      resolve(isProven);
    };
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1');
      if (received.length >= greeting.length) end(received.startsWith(greeting));
      else if (received.length > MAX_GREETING) end(false);
    });
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
    controller.signal.addEventListener('abort', () => end(false), { once: true });
  });
}
