import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTransport } from 'nodemailer';
import { freePort } from '../../servers/network/free-port.ts';

export interface DovecotServer {
  readonly imapPort: number;
  readonly lmtpPort: number;
  /** Where Postfix asks for passwords. */
  readonly authPort: number;
  readonly password: string;
  /** Puts a mail into the mailbox of `to`, as the last server on its way does. */
  deliver(raw: string | Buffer, to: string, from?: string): Promise<void>;
  /** Once it was stopped. */
  start(): void;
  stop(): Promise<void>;
  /** Where the mailboxes are files. */
  readonly mailFolder: string;
}

const password = 'a-password-for-the-tests';

/**
 * Starts a Dovecot of this run's own, with a mailbox for each address; null if the machine lacks it, or the user is
 * not root.
 */
export async function startDovecot(
  folder: string,
  addresses: readonly string[],
): Promise<DovecotServer | null> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/sbin/dovecot')) return null;
  const mailFolder = join(folder, 'mail');
  for (const path of [folder, mailFolder, join(folder, 'run')]) mkdirSync(path, { recursive: true });
  chmodSync(dirname(folder), 0o755);
  run(['chown', 'nobody:nogroup', mailFolder]);
  const [imapPort, lmtpPort, authPort] = [await freePort(), await freePort(), await freePort()];
  writeFileSync(
    join(folder, 'users'),
    addresses.map((address) => `${address}:{PLAIN}${password}::::::\n`).join(''),
  );
  const file = join(folder, 'dovecot.conf');
  writeFileSync(file, configuration({ folder, mailFolder, imapPort, lmtpPort, authPort }));
  const start = () => run(['/usr/sbin/dovecot', '-c', file]);
  start();
  const transport = createTransport({ host: '127.0.0.1', port: lmtpPort, lmtp: true, ignoreTLS: true });
  return {
    imapPort,
    lmtpPort,
    authPort,
    password,
    mailFolder,
    start,
    async deliver(raw, to, from = 'anna@lind.example') {
      await transport.sendMail({ envelope: { from, to: [to] }, raw });
    },
    async stop() {
      const pid = Number(readFileSync(join(folder, 'run', 'master.pid'), 'utf8'));
      process.kill(pid);
      while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
}

interface Places {
  readonly folder: string;
  readonly mailFolder: string;
  readonly imapPort: number;
  readonly lmtpPort: number;
  readonly authPort: number;
}

function configuration({ folder, mailFolder, imapPort, lmtpPort, authPort }: Places): string {
  const listener = (name: string, port: number) => `inet_listener ${name} {
    address = 127.0.0.1
    port = ${port}
  }`;
  return `
protocols = imap lmtp
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/log
ssl = no
disable_plaintext_auth = no
default_internal_user = nobody
default_internal_group = nogroup
default_login_user = nobody
first_valid_uid = 1
mail_uid = nobody
mail_gid = nogroup
mail_location = maildir:${mailFolder}/%u
recipient_delimiter = +
lmtp_save_to_detail_mailbox = no
auth_mechanisms = plain login
passdb {
  driver = passwd-file
  args = username_format=%Lu ${folder}/users
}
userdb {
  driver = passwd-file
  args = username_format=%Lu ${folder}/users
  default_fields = uid=nobody gid=nogroup home=${mailFolder}/%Lu
}
service imap-login {
  chroot =
  ${listener('imap', imapPort)}
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
service lmtp {
  ${listener('lmtp', lmtpPort)}
}
service auth {
  ${listener('auth', authPort)}
}
`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Runs a program that stays in the background. It keeps its output streams open, so nothing is read from them. */
function run([program = '', ...args]: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: 'ignore', timeout: 20_000 });
  if (status !== 0) throw new TypeError(`${program} ${args.join(' ')}: ${error?.message ?? status}`);
}
