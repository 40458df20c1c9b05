import { createTransport } from 'nodemailer';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createAccountFinder } from '../../../core/channels/accounts/channel-accounts.ts';
import { sendEmailFallbacks } from '../../../workers/deliver/email-fallback.ts';
import { mailsIn } from '../../helpers/platforms/email/mailbox-reader.ts';
import { openMailServers } from '../../helpers/platforms/email/open-mail-servers.ts';
import { openEmailServer } from '../../helpers/servers/channels/open-email-server.ts';

const shop = 'help@shop.example';
const anna = 'anna@lind.example';
const servers = await openMailServers([shop, anna]);
const missing = servers === null ? ' (skipped: no Dovecot and Postfix here, or not root)' : '';

const sessionSchema = z.object({ session: z.string() });
const historySchema = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  status: z.string(),
});

describe.skipIf(servers === null)(`a widget visitor who has left${missing}`, async () => {
  if (servers === null) return;
  const { dovecot, postfix } = servers;
  const hub = await openEmailServer({
    address: shop,
    imapPort: dovecot.imapPort,
    smtpPort: postfix.submissionPort,
    password: dovecot.password,
  });
  const { runtime, workspace, operate, eventually, query } = hub;
  await operate('POST', `/workspaces/${workspace.id}/channels`, { channel: 'widget', settings: {} });
  const base = `/widget/${workspace.publicToken}`;
  const opened = await hub.app.inject({ method: 'POST', url: `${base}/session`, payload: {} });
  const headers = { authorization: `Bearer ${sessionSchema.parse(opened.json()).session}` };
  const say = (path: string, payload: object) =>
    hub.app.inject({ method: 'POST', url: `${base}${path}`, headers, payload });
  const history = async () =>
    historySchema.parse((await hub.app.inject({ url: `${base}/messages`, headers })).json());

  test("gets an agent's reply by mail, and their answer arrives in the same conversation", async () => {
    await say('/human', { query: 'I would like to talk to a person.' });
    expect((await say('/contact', { email: anna })).statusCode).toBe(204);
    const [conversation] = await query('select id from conversation');
    await operate('POST', `/workspaces/${workspace.id}/conversations/${conversation?.id}/reply`, {
      content: 'Your order left **today**.',
      author_email: 'jo@shop.example',
    });
    // More than three minutes have passed since the visitor read.
    await query(`update visitor set read_at = read_at - interval '5 minutes'`);
    await query(`update message set created_at = created_at - interval '3 minutes' where role = 'agent'`);
    await sendEmailFallbacks({ ...runtime, findAccount: createAccountFinder(runtime) });
    await eventually(async () => expect(await mailsIn(dovecot.mailFolder, anna)).toHaveLength(1));
    const [mail] = await mailsIn(dovecot.mailFolder, anna);
    expect(mail?.from?.address).toBe(shop);
    expect(mail?.text).toContain('Your order left');
    expect(mail?.html).toContain('<strong>today</strong>');

    const transport = createTransport({ host: '127.0.0.1', port: postfix.smtpPort, ignoreTLS: true });
    await transport.sendMail({
      from: `Anna Lind <${anna}>`,
      to: mail?.replyTo?.[0]?.address ?? '',
      inReplyTo: mail?.messageId ?? '',
      subject: `Re: ${mail?.subject}`,
      text: 'Thank you, Jo!',
    });
    await eventually(async () =>
      expect((await history()).messages[0]).toMatchObject({ role: 'user', content: 'Thank you, Jo!' }),
    );
    expect((await history()).status).toBe('person');
    expect(await query('select id from conversation')).toHaveLength(1);
    expect(await mailsIn(dovecot.mailFolder, anna)).toHaveLength(1);
  });
});
