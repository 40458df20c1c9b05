import type { Sender } from '../../../core/contract/inbound.ts';
import type { EmailAccount } from '../manifest.ts';
import { findHeader, type Mail, type UnthreadedMail } from './mail.ts';

type Person = NonNullable<Mail['from']>;

/** Who wrote a mail. His address counts as his only where our own mail host vouches for it. */
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

/** `de-DE, en`: of more than one nothing is told. */
function parseLanguage(mail: Mail): string | null {
  const told = findHeader(mail, 'content-language')?.trim().toLowerCase() ?? '';
  return /^([a-z]{2})(-[a-z]+)?$/.exec(told)?.[1] ?? null;
}

/** By the servers of hosts that write under a name which is known. Microsoft's write under none. */
const knownHosts: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)(gmail|googlemail|google)\.com$/, 'mx.google.com'],
  [/(^|\.)office365\.com$|(^|\.)outlook\.com$/, ''],
];

/**
 * The address of the sender where our own mail host vouches for it: its `Authentication-Results` say that a signature of
 * his domain, or its server, was in order. Null otherwise: a `From` proves nothing, and neither do the results of others.
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

/** A second From would let readers see another sender than the one that was checked. */
function countFromHeaders({ headers }: UnthreadedMail): number {
  return headers.filter(([key]) => key === 'from').length;
}

/** Of the topmost header that is the host's: servers put theirs above what the sender wrote, and remove its like. */
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

/** Comments may hold anything, also what looks like a result. One that is not closed goes on to the end. */
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

/** A domain speaks for itself and for what is below it. */
function isSameOrParentDomain(signer: string | undefined, domain: string): boolean {
  return signer?.includes('.') === true && (domain === signer || domain.endsWith(`.${signer}`));
}

/** Whether somebody of the team wrote it: named in the settings, and proven. */
export function isColleague(mail: UnthreadedMail, account: EmailAccount): boolean {
  const sender = verifiedSender(mail, account);
  if (sender === null) return false;
  return account.settings.colleagues.some((entry) => {
    const known = entry.toLowerCase();
    return known.startsWith('@') ? sender.endsWith(known) : sender === known;
  });
}
