import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../../servers/network/free-port.ts';
import type { DovecotServer } from './start-dovecot.ts';

export interface PostfixServer {
  /** Where mail is sent with a password. */
  readonly submissionPort: number;
  /** Where mail comes from elsewhere. */
  readonly smtpPort: number;
  stop(): Promise<void>;
}

/**
 * Starts a Postfix of this run's own in front of a Dovecot: mail for its domains goes there, and everything else
 * comes back to its sender. Null if the machine lacks it, or the user is not root.
 */
export async function startPostfix(
  folder: string,
  dovecot: DovecotServer,
  domains: readonly string[],
): Promise<PostfixServer | null> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/sbin/postfix')) return null;
  const [smtpPort, submissionPort] = [await freePort(), await freePort()];
  const [config, queue, data] = ['config', 'queue', 'data'].map((name) => join(folder, name));
  if (config === undefined || queue === undefined || data === undefined) return null;
  for (const path of [config, queue, data]) mkdirSync(path, { recursive: true });
  chmodSync(dirname(folder), 0o755);
  run(['chown', 'postfix', data]);
  writeFileSync(
    join(config, 'main.cf'),
    `
compatibility_level = 3.6
queue_directory = ${queue}
data_directory = ${data}
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
multi_instance_name =
multi_instance_enable = no
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.shop.example
mydestination =
local_recipient_maps =
virtual_mailbox_domains = ${domains.join(', ')}
virtual_transport = lmtp:inet:127.0.0.1:${dovecot.lmtpPort}
recipient_delimiter = +
default_transport = error:5.1.2 nobody takes mail there
alias_maps =
alias_database =
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:${dovecot.authPort}
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtpd_tls_security_level = none
smtpd_peername_lookup = no
disable_dns_lookups = yes
`,
  );
  const service = (line: string) => `${line}\n`;
  writeFileSync(
    join(config, 'master.cf'),
    [
      `127.0.0.1:${smtpPort} inet n - n - - smtpd`,
      `127.0.0.1:${submissionPort} inet n - n - - smtpd\n  -o smtpd_sasl_auth_enable=yes\n  -o smtpd_client_restrictions=permit_sasl_authenticated,reject`,
      'pickup unix n - n 60 1 pickup',
      'cleanup unix n - n - 0 cleanup',
      'qmgr unix n - n 300 1 qmgr',
      'rewrite unix - - n - - trivial-rewrite',
      'bounce unix - - n - 0 bounce',
      'defer unix - - n - 0 bounce',
      'trace unix - - n - 0 bounce',
      'verify unix - - n - 1 verify',
      'error unix - - n - - error',
      'retry unix - - n - - error',
      'discard unix - - n - - discard',
      'lmtp unix - - n - - lmtp',
      'smtp unix - - n - - smtp',
      'anvil unix - - n - 1 anvil',
      'scache unix - - n - 1 scache',
      'proxymap unix - - n - - proxymap',
      'postlog unix-dgram n - n - 1 postlogd',
      'showq unix n - n - - showq',
    ]
      .map(service)
      .join(''),
  );
  run(['/usr/sbin/postfix', '-c', config, 'start']);
  return {
    smtpPort,
    submissionPort,
    async stop() {
      run(['/usr/sbin/postfix', '-c', config, 'stop']);
    },
  };
}

/** Runs a program that stays in the background. It keeps its output streams open, so nothing is read from them. */
function run([program = '', ...args]: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: 'ignore', timeout: 20_000 });
  if (status !== 0) throw new TypeError(`${program} ${args.join(' ')}: ${error?.message ?? status}`);
}
