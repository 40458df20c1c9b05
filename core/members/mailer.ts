import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';

/** A mail of the installation to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Sends the mails of the installation: invitations and links for a new password. */
export interface Mailer {
  /** Returns null once the server has taken the mail, otherwise why it did not, in its own words. */
  send(mail: Mail): Promise<string | null>;
}

const CONNECT_MS = 5_000;
const ANSWER_MS = 10_000;
const MAX_WORDS = 400;

/** Null unless SMTP_URL and MAIL_FROM are set. */
export function openMailer({ SMTP_URL, MAIL_FROM }: Config, log: Logger): Mailer | null {
  if (SMTP_URL === undefined || MAIL_FROM === undefined) return null;
  return {
    async send(mail) {
      // Loaded on demand: most processes send none.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        url: SMTP_URL,
        connectionTimeout: CONNECT_MS,
        greetingTimeout: ANSWER_MS,
        socketTimeout: ANSWER_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      try {
        await transport.sendMail({
          ...mail,
          from: MAIL_FROM,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        return null;
      } catch (err) {
        log.warn({ err }, 'mail not sent');
        return describeFault(err);
      } finally {
        transport.close();
      }
    },
  };
}

function describeFault(error: unknown): string {
  const isAnswer = error instanceof Error && 'response' in error && typeof error.response === 'string';
  const words = isAnswer ? String(error.response) : error instanceof Error ? error.message : String(error);
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_WORDS);
}
