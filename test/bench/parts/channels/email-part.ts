import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { type DovecotServer, startDovecot } from '../../../helpers/platforms/email/start-dovecot.ts';
import { startSmtp, type TakenMail } from '../../../helpers/platforms/email/start-smtp.ts';
import { freePort } from '../../../helpers/servers/network/free-port.ts';
import { attempt } from '../../attempt.ts';
import { BenchError } from '../../bench-error.ts';
import type { BenchRun } from '../../bench-run.ts';
import { ProductPool } from '../../chaos/product-pool.ts';
import { quantile } from '../../quantile.ts';
import { table } from '../../table.ts';

const mails = 20;
/** The rate at which a provider lets one mailbox send. */
const everyMs = 2_000;
const patienceMs = 30_000;
const adminToken = 'a-token-for-the-benchmark';
const mailbox = 'help@shop.example';

/**
 * Measures how long a mail waits for its answer, from the moment when the last server has it, through a real IMAP
 * server.
 */
export async function emailPart(run: BenchRun): Promise<void> {
  chmodSync(run.folder, 0o755);
  const dovecot = await startDovecot(join(run.folder, 'dovecot'), [mailbox]);
  if (dovecot === null) {
    run.print('e-mail: not measured, as there is no Dovecot here, or it may not be started');
    return;
  }
  try {
    await attempt(run, async () => {
      const times = await play(run, dovecot);
      const seconds = (ms: number) => (ms / 1_000).toFixed(2);
      run.print(
        table(
          `A mail in the mailbox of Dovecot until the answer is taken by an SMTP server, ${mails} mails, one every ${everyMs / 1_000} s`,
          ['storage', 'median s', '90 % s', 'longest s'],
          [['embedded, one process', ...[0.5, 0.9, 1].map((share) => seconds(quantile(times, share)))]],
        ),
      );
    });
  } finally {
    await dovecot.stop();
  }
}

async function play(run: BenchRun, dovecot: DovecotServer): Promise<readonly number[]> {
  const smtp = await startSmtp({ disabledCommands: ['STARTTLS'] });
  const port = await freePort();
  const environment = {
    ADMIN_TOKEN: adminToken,
    ALLOW_PRIVATE_CHANNELS: 'true',
    DATA_DIR: join(run.folder, 'email'),
    LOG_LEVEL: 'info',
    PORT: `${port}`,
  };
  const pool = new ProductPool([{ services: ['server', 'workers'], environment }]);
  try {
    await pool.start();
    await addMailbox(`http://127.0.0.1:${port}`, { dovecot, smtpPort: smtp.port });
    await wait(5_000);
    const times: number[] = [];
    for (let index = 1; index <= mails; index += 1) {
      run.progress(`e-mail: ${index} of ${mails}`);
      const begun = performance.now();
      await dovecot.deliver(question(index), mailbox);
      await answered(smtp.taken, index);
      times.push(performance.now() - begun);
      await wait(Math.max(0, everyMs - (performance.now() - begun)));
    }
    return times;
  } finally {
    pool.end();
    await smtp.close();
  }
}

function question(index: number): string {
  return [
    `From: Visitor ${index} <visitor${index}@lind.example>`,
    `To: ${mailbox}`,
    'Subject: Opening hours',
    `Message-ID: <${index}@lind.example>`,
    'Date: Mon, 21 Sep 2026 12:00:00 +0000',
    '',
    'When are you open?',
  ].join('\r\n');
}

async function answered(taken: readonly TakenMail[], index: number): Promise<void> {
  const until = performance.now() + patienceMs;
  while (!taken.some(({ to }) => to.includes(`visitor${index}@lind.example`))) {
    if (performance.now() > until) throw new BenchError(`mail ${index} was not answered in half a minute`);
    await wait(2);
  }
}

async function addMailbox(
  address: string,
  { dovecot, smtpPort }: { readonly dovecot: DovecotServer; readonly smtpPort: number },
): Promise<void> {
  const call = async (path: string, body: object) => {
    const response = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new BenchError(`${path}: ${await response.text()}`);
    return z.object({ id: z.string() }).parse(await response.json());
  };
  const { id } = await call('/admin/v1/workspaces', { name: 'Bench', plan: 'enterprise' });
  const at = `/admin/v1/workspaces/${id}`;
  await call(`${at}/documents?wait=true`, {
    title: 'Opening hours',
    content: 'The shop is open on weekdays from nine to five.',
    content_type: 'text/plain',
  });
  const login = { host: '127.0.0.1', secure: false, user: mailbox, pass: dovecot.password };
  await call(`${at}/channels`, {
    channel: 'email',
    name: 'Bench',
    credentials: { imap: { ...login, port: dovecot.imapPort }, smtp: { ...login, port: smtpPort } },
    settings: { from: mailbox },
  });
}
