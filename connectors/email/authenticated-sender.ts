import type { UnthreadedMail } from './mail.ts';
import type { EmailAccount } from './manifest.ts';

/** By the servers of hosts that write under a name which is known. Microsoft's write under none. */
const knownHosts: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)(gmail|googlemail|google)\.com$/, 'mx.google.com'],
  [/(^|\.)office365\.com$|(^|\.)outlook\.com$/, ''],
];

/**
 * The address of the sender where our own mail host vouches for it: its `Authentication-Results` say that a signature of
 * his domain, or its server, was in order. Null otherwise: a `From` proves nothing, and neither do the results of others.
 */
export function authenticatedSender(mail: UnthreadedMail, account: EmailAccount): string | null {
  const address = mail.from?.address.toLowerCase();
  const domain = address?.slice(address.lastIndexOf('@') + 1);
  const host = trustedHost(account);
  if (address === undefined || !domain || host === null || countFrom(mail) !== 1) return null;
  const results = resultsOf(mail, host);
  return results?.some((result) => isAligned(result, domain)) === true ? address : null;
}

function trustedHost({ settings, credentials }: EmailAccount): string | null {
  if (settings.authserv_id !== undefined) return settings.authserv_id.toLowerCase();
  const host = credentials.imap.host.toLowerCase();
  return knownHosts.find(([pattern]) => pattern.test(host))?.[1] ?? null;
}

/** A second From would let readers see another sender than the one that was checked. */
function countFrom({ headers }: UnthreadedMail): number {
  return headers.filter(([key]) => key === 'from').length;
}

/** Of the topmost header that is the host's: servers put theirs above what the sender wrote, and remove its like. */
function resultsOf({ headers }: UnthreadedMail, host: string): readonly string[] | null {
  const written = headers
    .filter(([key]) => key === 'authentication-results')
    .map(([, value]) => split(value));
  if (host === '') return written[0]?.[0]?.includes('=') ? written[0] : null;
  const own = written.find(([name = '']) => name.split(/\s/, 1)[0] === host);
  return own?.slice(1) ?? null;
}

/** Comments may hold anything, also what looks like a result. */
function split(value: string): readonly string[] {
  return withoutComments(value.toLowerCase())
    .split(';')
    .map((part) => part.replaceAll(/\s+/g, ' ').trim());
}

/** Comments may be nested; a parenthesis that is never closed is none. */
function withoutComments(value: string): string {
  const open: number[] = [];
  const parts: string[] = [];
  for (const sign of value) {
    if (sign === '(') open.push(parts.length);
    const start = sign === ')' ? open.pop() : undefined;
    if (start === undefined) parts.push(sign);
    else parts.splice(start, parts.length - start, ' ');
  }
  return parts.join('');
}

function isAligned(result: string, domain: string): boolean {
  const of = (property: string) => {
    const value = new RegExp(`(?:^|\\s)${property.replace('.', '\\.')}\\s*=\\s*"?([^\\s"]+)`).exec(
      result,
    )?.[1];
    return value?.slice(value.lastIndexOf('@') + 1);
  };
  if (/^dmarc\s*=\s*pass\b/.test(result)) return of('header.from') === domain;
  if (/^dkim\s*=\s*pass\b/.test(result)) return isOf(of('header.d') ?? of('header.i'), domain);
  if (/^spf\s*=\s*pass\b/.test(result)) return isOf(of('smtp.mailfrom') ?? of('smtp.mail'), domain);
  return false;
}

/** A domain speaks for itself and for what is below it. */
function isOf(signer: string | undefined, domain: string): boolean {
  return signer?.includes('.') === true && (domain === signer || domain.endsWith(`.${signer}`));
}
