import type { FoundServer, FoundServers, MailProvider } from '../../../core/contract/mail/mailbox-setup.ts';

interface KnownHost {
  readonly provider: FoundServers['provider'];
  /** The domains of addresses at this host. Addresses below them are not meant. */
  readonly domains: readonly string[];
  /** The ends of the names of its mail servers (MX), to which own domains point. */
  readonly exchanges: readonly string[];
  readonly incoming: ServerAddress;
  readonly outgoing: ServerAddress;
}

type ServerAddress = Pick<FoundServer, 'host' | 'port' | 'encryption'>;

const tls = (host: string, port: number): ServerAddress => ({ host, port, encryption: 'tls' });
const startTls = (host: string): ServerAddress => ({ host, port: 587, encryption: 'starttls' });

const google: KnownHost = {
  provider: 'google',
  domains: ['gmail.com', 'googlemail.com'],
  exchanges: ['google.com', 'googlemail.com'],
  incoming: tls('imap.gmail.com', 993),
  outgoing: tls('smtp.gmail.com', 465),
};

const microsoft: KnownHost = {
  provider: 'microsoft',
  domains: ['outlook.com', 'outlook.de', 'hotmail.com', 'hotmail.de', 'live.com', 'live.de', 'msn.com'],
  exchanges: ['protection.outlook.com', 'mx.microsoft'],
  incoming: tls('outlook.office365.com', 993),
  outgoing: startTls('smtp.office365.com'),
};

export const providers: Readonly<Record<MailProvider, KnownHost>> = { google, microsoft };

/** Hosts whose servers are known, and neither Google nor Microsoft. */
const others: readonly KnownHost[] = [
  {
    provider: null,
    domains: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'],
    exchanges: ['gmx.net'],
    incoming: tls('imap.gmx.net', 993),
    outgoing: tls('mail.gmx.net', 465),
  },
  {
    provider: null,
    domains: ['web.de'],
    exchanges: ['web.de'],
    incoming: tls('imap.web.de', 993),
    outgoing: startTls('smtp.web.de'),
  },
  {
    provider: null,
    domains: ['icloud.com', 'me.com', 'mac.com'],
    exchanges: ['mail.icloud.com'],
    incoming: tls('imap.mail.me.com', 993),
    outgoing: startTls('smtp.mail.me.com'),
  },
  {
    provider: null,
    domains: ['yahoo.com', 'yahoo.de'],
    exchanges: ['yahoodns.net'],
    incoming: tls('imap.mail.yahoo.com', 993),
    outgoing: tls('smtp.mail.yahoo.com', 465),
  },
  {
    provider: null,
    domains: ['fastmail.com'],
    exchanges: ['messagingengine.com'],
    incoming: tls('imap.fastmail.com', 993),
    outgoing: tls('smtp.fastmail.com', 465),
  },
  {
    provider: null,
    domains: [],
    exchanges: ['kundenserver.de', 'ionos.de'],
    incoming: tls('imap.ionos.de', 993),
    outgoing: tls('smtp.ionos.de', 465),
  },
  {
    provider: null,
    domains: [],
    exchanges: ['rzone.de'],
    incoming: tls('imap.strato.de', 993),
    outgoing: tls('smtp.strato.de', 465),
  },
];

/** Returns Google or Microsoft by the domain of an address or by its mail servers; null for others. Pure. */
export function findProvider(domain: string, exchanges: readonly string[]): Known | null {
  return findKnown(Object.values(providers), domain, exchanges);
}

/** Returns another known host by the domain of an address or by its mail servers; null if there is none. Pure. */
export function findOtherHost(domain: string, exchanges: readonly string[]): Known | null {
  return findKnown(others, domain, exchanges);
}

export interface Known {
  readonly host: KnownHost;
  readonly foundBy: 'choice' | 'provider' | 'mx';
}

function findKnown(hosts: readonly KnownHost[], domain: string, exchanges: readonly string[]): Known | null {
  const byDomain = hosts.find(({ domains }) => domains.includes(domain));
  if (byDomain !== undefined) return { host: byDomain, foundBy: 'provider' };
  const [first] = exchanges;
  const byExchange = hosts.find((host) =>
    host.exchanges.some((end) => first === end || first?.endsWith(`.${end}`) === true),
  );
  return byExchange === undefined ? null : { host: byExchange, foundBy: 'mx' };
}
