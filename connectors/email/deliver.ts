import type { ConversationRef, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Budget, OutboundPart, Receipt } from '../../core/contract/outbound.ts';
import type { EmailAccount } from './manifest.ts';
import { type Part, parsePart } from './render.ts';
import { withSmtp } from './smtp.ts';

const MINUTE_MS = 60_000;
/** Of a minute's mails: as many may go at once after a pause. */
const BURST_SHARE = 1 / 3;

/** Providers refuse who sends faster, and lock out who goes on. */
export function budgets(_to: ConversationRef, { settings }: EmailAccount): readonly Budget[] {
  const { sends_per_minute: count } = settings;
  return [{ key: 'all', everyMs: Math.ceil(MINUTE_MS / count), burst: Math.ceil(count * BURST_SHARE) }];
}

/** Sends a mail under the Message-ID that it was written with: who gets it twice sees it once. */
export async function deliver(
  part: OutboundPart,
  _to: ConversationRef,
  account: EmailAccount,
  tools: Tools,
): Promise<Receipt> {
  const content = parsePart(part);
  if (!content.to.address.includes('@')) {
    throw new ConnectorError('The mail that this answers has no sender.', { advice: { retry: 'never' } });
  }
  await withSmtp(account.credentials.smtp, tools, (smtp) =>
    smtp.sendMail(buildMail(content, account, tools.now())),
  );
  return { messageId: content.messageId };
}

function buildMail(content: Part, { settings }: EmailAccount, now: Date) {
  const { from: address, name } = settings;
  const last = content.references.at(-1);
  return {
    from: { name: name ?? '', address },
    to: content.to,
    ...(content.replyTo !== null && { replyTo: { name: name ?? '', address: content.replyTo } }),
    // Of what cannot be delivered the mailbox is told.
    envelope: { from: address, to: [content.to.address] },
    messageId: `<${content.messageId}>`,
    date: now,
    subject: content.subject,
    ...(last !== undefined && { inReplyTo: `<${last}>` }),
    ...(last !== undefined && { references: content.references.map((id) => `<${id}>`) }),
    text: content.text,
    html: content.html,
    ...(content.isAutomatic && {
      headers: { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' },
    }),
  };
}
