import type { Sender } from '../../../core/contract/inbound.ts';
import { findHeader } from '../../../core/contract/mail/automatic-mail.ts';
import type { EmailAccount } from '../manifest.ts';
import type { Mail, UnthreadedMail } from './mail.ts';

type Person = NonNullable<Mail['from']>;

/** Returns the sender of a mail. The address counts as theirs only if our own mail host verified it. */
export function parseSender(mail: Mail, account: EmailAccount, author: Person | null): Sender {
  const isFrom = author !== null && author.address === mail.from?.address;
  return {
    id: author?.address.toLowerCase() ?? '',
    name: author?.name || null,
    email: isFrom ? verifiedSender(mail, account) : null,
    phone: null,
    language: parseLanguage(mail),
    kind: 'person',
  };
}

/** A `Content-Language` with several languages, such as `de-DE, en`, says nothing. */
function parseLanguage(mail: Mail): string | null {
  const header = findHeader(mail, 'content-language')?.trim().toLowerCase() ?? '';
  return /^([a-z]{2})(-[a-z]+)?$/.exec(header)?.[1] ?? null;
}

/** The names in the results of known mail hosts, by IMAP host. Microsoft writes none. */
const knownHosts: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)(gmail|googlemail|google)\.com$/, 'mx.google.com'],
  [/(^|\.)office365\.com$|(^|\.)outlook\.com$/, ''],
];

/**
 * Returns the sender's address if our own mail host verified it: its `Authentication-Results` report a valid signature of
 * the domain, or an authorised server. Otherwise null: `From` proves nothing, and neither do results of other hosts.
 */
export function verifiedSender(mail: UnthreadedMail, account: EmailAccount): string | null {
  const address = mail.from?.address.toLowerCase();
  const domain = address?.slice(address.lastIndexOf('@') + 1);
  const host = trustedHost(account);
  if (address === undefined || !domain || host === null || countFromHeaders(mail) !== 1) return null;
  const results = authenticationResults(mail, host);
  return results?.some((result) => isAligned(result, domain)) === true ? address : null;
}

function trustedHost({ settings, credentials }: EmailAccount): string | null {
  if (settings.authserv_id !== undefined) return settings.authserv_id.toLowerCase();
  const host = credentials.imap.host.toLowerCase();
  return knownHosts.find(([pattern]) => pattern.test(host))?.[1] ?? null;
}

/** With a second From, readers might see another sender than the one that was checked. */
function countFromHeaders({ headers }: UnthreadedMail): number {
  return headers.filter(([key]) => key === 'from').length;
}

/** Reads the topmost header of the host. Mail hosts put theirs above the sender's headers and remove forged ones. */
function authenticationResults({ headers }: UnthreadedMail, host: string): readonly string[] | null {
  const written = headers
    .filter(([key]) => key === 'authentication-results')
    .map(([, value]) => splitResults(value));
  if (host === '') return written[0]?.[0]?.includes('=') ? written[0] : null;
  const own = written.find(([name = '']) => name.split(/\s/, 1)[0] === host);
  return own?.slice(1) ?? null;
}

function splitResults(value: string): readonly string[] {
  return withoutComments(value.toLowerCase())
    .split(';')
    .map((part) => part.replaceAll(/\s+/g, ' ').trim());
}

/** Removes comments, which may contain text that looks like a result. An unclosed comment extends to the end. */
function withoutComments(value: string): string {
  let depth = 0;
  let plain = '';
  for (const piece of value.split(/([()])/)) {
    if (piece === '(') depth += 1;
    else if (piece === ')') depth = Math.max(0, depth - 1);
    else plain += depth === 0 ? piece : ' ';
  }
  return plain;
}

function isAligned(result: string, domain: string): boolean {
  const of = (property: string) => {
    const value = new RegExp(`(?:^|\\s)${property.replace('.', '\\.')}\\s*=\\s*"?([^\\s"]+)`).exec(
      result,
    )?.[1];
    return value?.slice(value.lastIndexOf('@') + 1);
  };
  if (/^dmarc\s*=\s*pass\b/.test(result)) return of('header.from') === domain;
  if (/^dkim\s*=\s*pass\b/.test(result))
    return isSameOrParentDomain(of('header.d') ?? of('header.i'), domain);
  if (/^spf\s*=\s*pass\b/.test(result))
    return isSameOrParentDomain(of('smtp.mailfrom') ?? of('smtp.mail'), domain);
  return false;
}

/** A domain signs for itself and for its subdomains. */
function isSameOrParentDomain(signer: string | undefined, domain: string): boolean {
  return signer?.includes('.') === true && (domain === signer || domain.endsWith(`.${signer}`));
}

/** Whether a team member wrote the mail: listed in the settings, and verified. */
export function isColleague(mail: UnthreadedMail, account: EmailAccount): boolean {
  const sender = verifiedSender(mail, account);
  if (sender === null) return false;
  return account.settings.colleagues.some((entry) => {
    const pattern = entry.toLowerCase();
    return pattern.startsWith('@') ? sender.endsWith(pattern) : sender === pattern;
  });
}
