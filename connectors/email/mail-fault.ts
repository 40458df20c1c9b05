import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { MailProblem } from '../../core/contract/mail/mailbox-setup.ts';

/** A failure at a mail server whose kind is known, so that a set-up can name the remedy. */
export class MailFault extends ConnectorError {
  readonly problem: MailProblem;

  constructor(
    message: string,
    details: ConstructorParameters<typeof ConnectorError>[1],
    problem: MailProblem,
  ) {
    super(message, details);
    this.problem = problem;
  }
}

/** The phrases of Google and Microsoft, and those of Dovecot, Exchange and Courier where they have any. */
const APP_PASSWORD = /application-specific password|app password/i;
const IMAP_OFF =
  /not enabled for imap|imap (?:access |use )?(?:is |has been )?(?:disabled|switched off|off)\b/i;
const SMTP_OFF = /smtpclientauthentication is disabled|smtp_auth_disabled/i;
const PASSWORDS_OFF = /basic ?auth(?:entication)? ?(?:is )?(?:disabled|blocked|not supported)/i;

/** Returns why a server refused a login, from its own words. Pure. */
export function findLoginProblem(words: string, isPassing: boolean): MailProblem {
  if (APP_PASSWORD.test(words)) return 'app_password_needed';
  if (IMAP_OFF.test(words)) return 'imap_off';
  if (SMTP_OFF.test(words)) return 'smtp_auth_off';
  if (PASSWORDS_OFF.test(words)) return 'passwords_off';
  return isPassing ? 'busy' : 'wrong_password';
}

const TIMEOUTS: readonly string[] = [
  'CONNECT_TIMEOUT',
  'GREETING_TIMEOUT',
  'SOCKET_TIMEOUT',
  'UPGRADE_TIMEOUT',
  'ETIMEDOUT',
  'ETIMEOUT',
];
const UNCONNECTED: readonly string[] = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET'];
/** The codes of OpenSSL for a server that answers in plain text. */
const PLAIN_TEXT = /ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNSUPPORTED_PROTOCOL)/;
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ALTNAME/;

/**
 * Returns why a connection failed. `codes` are those that the error and the library have for it, and `words` is its
 * message. Pure.
 */
export function findConnectionProblem(codes: readonly string[], words: string): MailProblem {
  if (codes.some((code) => TIMEOUTS.includes(code))) return 'timeout';
  if (codes.some((code) => UNCONNECTED.includes(code))) return 'no_connection';
  if (codes.some((code) => PLAIN_TEXT.test(code)) || /wrong version number/i.test(words)) return 'no_tls';
  if (codes.some((code) => CERTIFICATE.test(code)) || /certificate/i.test(words))
    return 'untrusted_certificate';
  if (codes.includes('ETLS') || /STARTTLS/.test(words)) return 'no_tls';
  return 'other';
}
