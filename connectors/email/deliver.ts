import type { ConversationRef, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Budget, OutboundPart, Receipt } from '../../core/contract/outbound.ts';
import type { EmailAccount } from './manifest.ts';
import { type Part, parsePart } from './render.ts';
import { withSmtp } from './smtp.ts';

const MINUTE_MS = 60_000;
/** Share of the mails of a minute that may be sent at once after a pause. */
const BURST_SHARE = 1 / 3;

/** Providers refuse mail that is sent faster, and lock accounts that continue. */
export function budgets(_to: ConversationRef, { settings }: EmailAccount): readonly Budget[] {
  const { sends_per_minute: count } = settings;
  return [{ key: 'all', everyMs: Math.ceil(MINUTE_MS / count), burst: Math.ceil(count * BURST_SHARE) }];
}

/** Sends a mail under its stored Message-ID, so that mail programs recognise a duplicate. */
export async function deliver(
  part: OutboundPart,
  _to: ConversationRef,
  account: EmailAccount,
  tools: Tools,
): Promise<Receipt> {
  const content = parsePart(part);
  if (!content.to.address.includes('@')) {
    throw new ConnectorError('The mail that this part replies to has no sender.', {
      advice: { retry: 'never' },
    });
  }
  const attachments = await readFiles(content, tools);
  await withSmtp(account.credentials.smtp, tools, (smtp) =>
    smtp.sendMail({ ...buildMail(content, account, tools.now()), attachments }),
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
    // Bounces are sent to the mailbox.
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

/** Files that were deleted meanwhile are left out. */
async function readFiles({ files }: Part, { readFile }: Tools) {
  const read = await Promise.all(
    files.map(async ({ name, contentType, url }) => ({ name, contentType, file: await readFile(url) })),
  );
  return read.flatMap(({ name: filename, contentType, file }) =>
    file === null ? [] : [{ filename, contentType, content: Buffer.from(file.body) }],
  );
}
