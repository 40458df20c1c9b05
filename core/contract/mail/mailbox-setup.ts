interface SrvRecord {
  /** The host, without a dot at its end. Empty: the domain says that it does not offer the service. */
  readonly name: string;
  readonly port: number;
  /** Lower ones come first. */
  readonly priority: number;
  readonly weight: number;
}

interface MxRecord {
  readonly exchange: string;
  /** Lower ones come first. */
  readonly priority: number;
}

/** Records of DNS that are no addresses. A list is empty if the name has none, or if no server answered in time. */
export interface DnsRecords {
  srv(name: string): Promise<readonly SrvRecord[]>;
  mx(domain: string): Promise<readonly MxRecord[]>;
}

/** Providers whose words and help pages the set-up knows. */
export const mailProviders = ['google', 'microsoft'] as const;
export type MailProvider = (typeof mailProviders)[number];

/** A mailbox whose servers are sought. */
export interface WantedMailbox {
  readonly address: string;
  /** The provider that a person named; null if they named none. */
  readonly provider: MailProvider | null;
}

/**
 * How a server was found: a person chose the provider, the domain of the address is the provider's own, the mail servers of the domain (MX) are those of
 * a known host, the domain names the server in DNS (SRV), its configuration file names it, or a guess that answered.
 */
export const serverSources = ['choice', 'provider', 'mx', 'srv', 'autoconfig', 'guess'] as const;

/** A server that was found for an address. */
export interface FoundServer {
  readonly host: string;
  readonly port: number;
  readonly encryption: 'tls' | 'starttls';
  /** The user name of the login. */
  readonly user: string;
  readonly foundBy: (typeof serverSources)[number];
}

export interface FoundServers {
  /** Null: another provider, or unknown. */
  readonly provider: MailProvider | null;
  /** The server that mail is read from; null if none was found. */
  readonly incoming: FoundServer | null;
  /** The server that mail is sent by; null if none was found. */
  readonly outgoing: FoundServer | null;
}

/** Why a login at a mail server failed, as far as the server lets it be known. */
export const mailProblems = [
  'wrong_password',
  'app_password_needed',
  'passwords_off',
  'imap_off',
  'smtp_auth_off',
  'unknown_host',
  'private_host',
  'no_connection',
  'no_tls',
  'untrusted_certificate',
  'timeout',
  'busy',
  'no_folder',
  'other',
] as const;
export type MailProblem = (typeof mailProblems)[number];

/** The result of a login at one server of an account. */
export interface ServerCheck {
  readonly server: 'incoming' | 'outgoing';
  /** Null: the login succeeded. */
  readonly problem: MailProblem | null;
  /** The words of the server, if it failed; no secret stands in them. */
  readonly detail: string | null;
  /** How many mails are in the folder, and how many of them are unread. Null for a server that sends. */
  readonly mails: number | null;
  readonly unread: number | null;
}
