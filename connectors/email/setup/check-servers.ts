import { withDeadline } from '../../../core/contract/abort-signal.ts';
import type { Tools } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { MailProblem, ServerCheck } from '../../../core/contract/mail/mailbox-setup.ts';
import { withImap } from '../imap.ts';
import { MailFault } from '../mail-fault.ts';
import type { EmailAccount, MailServer } from '../manifest.ts';
import { withSmtp } from '../smtp.ts';

/** The limit of a login is below the deadline of a call, so that each server has a result of its own. */
const LOGIN_MS = 12_000;

/** Signs in to both servers at once. Mails are counted, and none is read, marked or sent. */
export async function checkServers(
  { credentials, settings }: EmailAccount,
  tools: Tools,
  loginMs = LOGIN_MS,
): Promise<readonly ServerCheck[]> {
  return Promise.all([
    tryLogin('incoming', credentials.imap, { ...tools, loginMs }, (limited) =>
      withImap(credentials.imap, limited, async (client) => {
        const { exists } = await client.mailboxOpen(settings.mailbox, { readOnly: true });
        const unread = await client.search({ seen: false }, { uid: true });
        return { mails: exists, unread: Array.isArray(unread) ? unread.length : null };
      }),
    ),
    tryLogin('outgoing', credentials.smtp, { ...tools, loginMs }, (limited) =>
      withSmtp(credentials.smtp, limited, async (smtp) => {
        await smtp.verify();
        return { mails: null, unread: null };
      }),
    ),
  ]);
}

async function tryLogin(
  server: ServerCheck['server'],
  login: MailServer,
  { loginMs, ...tools }: Tools & { readonly loginMs: number },
  attempt: (limited: Tools) => Promise<Pick<ServerCheck, 'mails' | 'unread'>>,
): Promise<ServerCheck> {
  return withDeadline({ timeoutMs: loginMs, signal: tools.signal }, async (signal) => {
    // A name that resolves slowly and a library that waits for a greeting do not end with the signal.
    const timeout = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => timeout.reject(timeoutFault()), { once: true });
    try {
      const counts = await Promise.race([attempt({ ...tools, signal }), timeout.promise]);
      return { server, problem: null, detail: null, ...counts };
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      return {
        server,
        problem: findProblem(error),
        detail: hideSecret(error.message, login),
        mails: null,
        unread: null,
      };
    }
  });
}

function timeoutFault(): MailFault {
  return new MailFault('The server did not answer in time.', { advice: { retry: 'backoff' } }, 'timeout');
}

function findProblem(error: ConnectorError): MailProblem {
  if (error instanceof MailFault) return error.problem;
  return error.account ? 'wrong_password' : 'other';
}

/** Some servers repeat the command that they refuse, in which the password stands as it is or in Base64. */
function hideSecret(words: string, { user, pass }: MailServer): string {
  if (pass === undefined) return words;
  const encoded = [`\0${user}\0${pass}`, pass].map((text) => Buffer.from(text).toString('base64'));
  return [...encoded, pass].reduce((text, secret) => text.replaceAll(secret, '[secret]'), words);
}
