import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Logger } from '../base/log.ts';
import type { Config } from '../config/config.ts';
import { ConnectorError } from '../contract/connector-error.ts';
import type { Mail } from '../contract/facets.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { createAccountFinder } from './accounts/channel-accounts.ts';
import type { ConnectorCalls } from './connector-calls.ts';
import { type ConnectorRegistry, findMailboxChannels } from './connector-registry.ts';

/** Sends mails to people who work here: invitations, links for a new password, and digests. */
export interface Mailer {
  /** Returns null once the server has taken the mail, otherwise why it did not. */
  send(mail: Mail): Promise<MailFault | null>;
}

interface MailFault {
  /** The words of the mail server. */
  readonly words: string;
  /** True if the server certainly did not take the mail, and may take it later. */
  readonly isPassing: boolean;
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
        return { words: describeFault(err), isPassing: isPassing(err) };
      } finally {
        transport.close();
      }
    },
  };
}

type Dependencies = Parameters<typeof createAccountFinder>[0] & {
  /** The mailer of the installation. */
  readonly mailer: Mailer | null;
  readonly config: Pick<Config, 'PUBLIC_URL'>;
  readonly database: { readonly kysely: Kysely<Tables> };
  readonly connectorCalls: Pick<ConnectorCalls, 'call'>;
  readonly connectors: Pick<ConnectorRegistry, 'connectors'>;
};

/**
 * Finds the mailer for invitations to a workspace and its digests: that of the installation, otherwise the first enabled channel of
 * the workspace that can send mails. Null if there is neither, and without PUBLIC_URL, which the links in mails lead to.
 */
export async function findMailer(dependencies: Dependencies, workspaceId: string): Promise<Mailer | null> {
  const { mailer, database, connectorCalls, connectors, config } = dependencies;
  if (config.PUBLIC_URL === undefined) return null;
  if (mailer !== null) return mailer;
  const mailboxes = findMailboxChannels(connectors);
  if (mailboxes.length === 0) return null;
  const channel = await database.kysely
    .selectFrom('channel')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('channel', 'in', mailboxes)
    .where('enabled', '=', true)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  const open = channel === undefined ? null : await createAccountFinder(dependencies)(channel.id);
  const send = open?.connector.open(open.account).sendMail;
  if (open === null || send === undefined) return null;
  return {
    send: (mail) =>
      connectorCalls.call(open.account, (tools) => send(mail, tools)).then(() => null, tellRefusal),
  };
}

function tellRefusal(error: unknown): MailFault {
  if (!(error instanceof ConnectorError)) throw error;
  const { message, advice, untaken } = error;
  return { words: message.slice(0, MAX_WORDS), isPassing: untaken && advice.retry !== 'never' };
}

const faultSchema = z.object({
  code: z.string().optional(),
  syscall: z.string().optional(),
  timeoutType: z.string().optional(),
  responseCode: z.int().optional(),
});

/**
 * A reply of 4xx, or no connection. If the connection breaks later, the server may have taken the mail: nodemailer gives
 * that the command CONN too, so its `command` tells nothing.
 */
function isPassing(error: unknown): boolean {
  const { code, syscall, timeoutType, responseCode } = faultSchema.safeParse(error).data ?? {};
  if (responseCode !== undefined) return responseCode >= 400 && responseCode < 500;
  return syscall === 'connect' || code === 'EDNS' || timeoutType === 'CONNECT_TIMEOUT';
}

function describeFault(error: unknown): string {
  const isAnswer = error instanceof Error && 'response' in error && typeof error.response === 'string';
  const words = isAnswer ? String(error.response) : error instanceof Error ? error.message : String(error);
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_WORDS);
}
