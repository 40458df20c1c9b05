import { findHeader, isFromMailServer } from '../../../core/contract/mail/automatic-mail.ts';
import { findOwnMessageIds } from '../identifiers.ts';
import type { EmailAccount } from '../manifest.ts';
import type { Mail } from './mail.ts';

/**
 * Whether the mail suppresses automatic replies. People's programs set this header too, so it does not mark a machine.
 */
export function asksForNoAutoReply(mail: Mail): boolean {
  const asked = findHeader(mail, 'x-auto-response-suppress')?.toLowerCase() ?? '';
  return /\b(all|oof|autoreply)\b/.test(asked);
}

interface Bounce {
  /** Our Message-IDs that were not delivered. */
  readonly messageIds: readonly string[];
  /** The reason, in the words of the refusing server. */
  readonly because: string;
}

const MAX_REASON_CHARS = 300;

/** Lines above the copy of the returned mail, of servers that do not use RFC 3464. */
const returnedCopyMark =
  /^(-{2,}\s*(this is a copy of|below this line is a copy|original message follows|the header of the original|forwarded message|original message|undeliverable message)|received: )/im;
const delaySubject =
  /delay|warning: (message|could not)|still (being )?(retr|try)|verz(ö|oe)ger|retard|retrasad|ritard|vertraag|atras|opóźni/i;

/**
 * Parses the report of a mail server that one of our mails was not delivered; returns null for all other mails. It is
 * recognised by our Message-ID, which cannot be forged, in a report of any form (RFC 3464, Exim, qmail, Exchange,
 * WorkMail).
 */
export function parseBounce(mail: Mail, account: EmailAccount): Bounce | null {
  if (!isFromMailServer(mail)) return null;
  const reportText = [...mail.reports.map(({ text }) => text), mail.text || mail.html].join('\n');
  const referencedIds = [...mail.inReplyTo, ...mail.references].map((id) => `<${id}>`).join(' ');
  const found = findOwnMessageIds(reportText, account);
  const ids = found.length > 0 ? found : findOwnMessageIds(referencedIds, account);
  if (ids.length === 0 || isDelayNotice(mail)) return null;
  return { messageIds: ids.map(({ id }) => id), because: bounceReason(mail) };
}

/** A server that still retries has not given up. */
function isDelayNotice(mail: Mail): boolean {
  const actions = reportFields(mail, 'action').map((action) => action.toLowerCase());
  if (actions.length > 0) return !actions.includes('failed');
  const statuses = reportFields(mail, 'status');
  if (statuses.length > 0) return statuses.every((status) => !status.startsWith('5'));
  return delaySubject.test(mail.subject);
}

function bounceReason(mail: Mail): string {
  const diagnostic = reportFields(mail, 'diagnostic-code')
    .map((code) => code.replace(/^[\w-]+\s*;\s*/, ''))
    .find((code) => code !== '');
  const status = reportFields(mail, 'status').find((code) => code.startsWith('5'));
  const words = diagnostic ?? firstReasonLine(mail) ?? (status && `status ${status}`) ?? mail.subject;
  return (
    words.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_REASON_CHARS) || 'The mail could not be delivered.'
  );
}

/** Returns the values of a field of the machine-readable report. Joins folded lines. */
function reportFields({ reports }: Mail, name: string): readonly string[] {
  return reports
    .filter(({ type }) => type === 'message/delivery-status')
    .flatMap(({ text }) => text.replaceAll(/\r?\n[ \t]+/g, ' ').split('\n'))
    .flatMap((line) => {
      const at = line.indexOf(':');
      return line.slice(0, at).trim().toLowerCase() === name ? [line.slice(at + 1).trim()] : [];
    });
}

/** Returns the line of the human-readable report that contains the status code. */
function firstReasonLine({ text }: Mail): string | null {
  const copy = returnedCopyMark.exec(text)?.index ?? text.length;
  const lines = text.slice(0, copy).split('\n');
  const coded = lines.find((line) =>
    /(^|[\s#(:])5\d\d[\s-]+#?(5\.\d+\.\d+)?|[\s#(]5\.\d{1,3}\.\d{1,3}\b/.test(line),
  );
  return coded?.trim() ?? null;
}
