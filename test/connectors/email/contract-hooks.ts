import { parseFragment, serialize } from 'parse5';
import { z } from 'zod';
import { formatMessageId } from '../../../connectors/email/identifiers.ts';
import { emailAccount } from '../../helpers/platforms/email/account.ts';
import { mailReader } from '../../helpers/platforms/email/read-mail.ts';
import { smtpRefusal, startSmtp } from '../../helpers/platforms/email/start-smtp.ts';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import type { ContractHooks, Trouble } from '../contract/contract-hooks.ts';

const account = emailAccount();
const lane = '0123456789abcdef0123';
const { read } = mailReader(account);
const question = await read(
  'From: Anna Lind <anna@lind.example>\nTo: help@shop.example\nSubject: Opening hours\nMessage-ID: <1@lind.example>\nDate: Mon, 21 Sep 2026 12:00:00 +0000\n\nWhen are you open?',
);
const own = await read(
  `From: Garden Shop <help@shop.example>\nTo: help@shop.example\nSubject: Re: Opening hours\nMessage-ID: <${formatMessageId(lane, 'own', account)}>\n\nWe are open.`,
);
if (question === null || own === null) throw new TypeError('the mails of the contract are not read');

const contentSchema = z.object({
  text: z.string(),
  html: z.string(),
  subject: z.string(),
  messageId: z.string(),
});

async function refusing(fault: Trouble) {
  if (fault === 'unreachable') return emailAccount({ smtp: { port: await freePort() } });
  const { port } = await startSmtp({
    ...(fault === 'limited' && {
      onRcptTo: (_address, _session, done) => done(smtpRefusal(450, '4.2.1 You are sending too fast')),
    }),
    ...(fault === 'unauthorised' && {
      onAuth: (_auth, _session, done) => done(smtpRefusal(535, '5.7.8 Username and password not accepted')),
    }),
  });
  return emailAccount({ smtp: { port } });
}

export const hooks: ContractHooks = {
  account,
  webhook: null,
  question: question.native,
  own: own.native,
  unknown: { uid: 'none' },
  conversation: {
    lane,
    address: {
      to: 'anna@lind.example',
      name: 'Anna Lind',
      subject: 'Opening hours',
      references: ['1@lind.example'],
      quote: null,
    },
  },
  faultOf({ content }) {
    const part = contentSchema.safeParse(content);
    if (!part.success) return 'no mail';
    const { text, html, subject, messageId } = part.data;
    if (text.length > 100_000) return 'longer than 100,000';
    if (text.trim() === '') return 'nothing to read';
    if (/[\r\n]/.test(subject + messageId)) return 'a header in two lines';
    // Well-formed HTML is serialised exactly as it was parsed.
    const body = html.replace(/^<!DOCTYPE html>/, '');
    const inner = body.replace(/^<html><head>(?:<meta [^>]*>)*<\/head><body>|<\/body><\/html>$/g, '');
    if (serialize(parseFragment(inner)) !== inner) return 'HTML that is not well-formed';
    return /<(script|img|iframe|form)\b/i.test(inner) ? 'HTML that does more than show text' : null;
  },
  limited: { respond: () => Response.error(), afterMs: null },
  unauthorised: () => Response.error(),
  refusing,
};
