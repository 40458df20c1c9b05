import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { MailServer } from './manifest.ts';

/** Where encryption begins with a command, and not with the connection. */
const PORTS_OF_STARTTLS: ReadonlySet<number> = new Set([25, 143, 587, 2525]);

export interface ServerPlace {
  readonly port: number;
  /** Encrypted from the first byte on. */
  readonly isImplicit: boolean;
  /** Whether it must be encrypted. */
  readonly isRequired: boolean;
  /** The name that the server's certificate is for; absent where the host is a number. */
  readonly name: { readonly servername?: string };
  readonly tls: ConnectionOptions;
}

/** How a server is spoken to. Where nobody asks for encryption, that of a server with a certificate of its own is taken. */
export function serverPlace({ host, port, secure }: MailServer): ServerPlace {
  return {
    port,
    isImplicit: secure && !PORTS_OF_STARTTLS.has(port),
    isRequired: secure,
    name: isIP(host) === 0 ? { servername: host } : {},
    tls: { rejectUnauthorized: secure, minVersion: 'TLSv1.2' },
  };
}
