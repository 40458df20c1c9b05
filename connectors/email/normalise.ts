import type { Json } from '../../core/contract/account.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { automaticMailReason } from '../../core/contract/mail/automatic-mail.ts';
import { parseAttachments } from './files.ts';
import type { MailAddress } from './identifiers.ts';
import { findOwnMessageIds, normaliseAddress, ownAddresses } from './identifiers.ts';
import type { EmailAccount } from './manifest.ts';
import { asksForNoAutoReply, parseBounce } from './parsing/automatic-mail.ts';
import { type Mail, mailSchema, quotingNoticeSchema } from './parsing/mail.ts';
import { messageText } from './parsing/message-text.ts';
import { parseSender } from './parsing/sender.ts';

type Message = Extract<InboundEvent, { type: 'message' }>;

export function normalise(native: Json, account: EmailAccount): readonly InboundEvent[] {
  const read = mailSchema.safeParse(native);
  if (!read.success) {
    const quoting = quotingNoticeSchema.safeParse(native).data;
    return [
      quoting ? { type: 'related', lane: quoting.quotes } : { type: 'unsupported', nativeType: 'no mail' },
    ];
  }
  const mail = read.data;
  const bounce = parseBounce(mail, account);
  if (bounce !== null) {
    const { messageIds, because } = bounce;
    return messageIds.map((messageId) => ({
      type: 'delivery-reported',
      messageId,
      outcome: 'failed',
      because,
    }));
  }
  return [parseMessage(mail, account)];
}

function parseMessage(mail: Mail, account: EmailAccount): InboundEvent {
  const isOurs = isOwnMail(mail, account);
  const author = isOurs ? mail.from : parseAuthor(mail, account);
  const text = messageText(mail);
  const sender = parseSender(mail, account, author);
  const message: Message = {
    type: 'message',
    conversation: { lane: mail.lane, address: replyAddress(mail, author, account) },
    sentAt: new Date(mail.receivedAt),
    sender,
    messageId: mail.messageId ?? `${mail.uidValidity}.${mail.uid}`,
    text,
    attachments: parseAttachments(mail),
    addressed: true,
    command: null,
  };
  if (isOurs) return { ...message, sender: { ...sender, kind: 'self' } };
  const automaticReason = automaticMailReason(mail);
  if (automaticReason !== null)
    return { ...message, sender: { ...sender, kind: 'machine' }, parked: automaticReason };
  if (mail.isUnread) return { ...message, parked: 'the mail could not be read', command: 'human' };
  if (mail.joinedBy === 'colleague') {
    const { conversation, sentAt, messageId, text } = message;
    return { type: 'person-replied', conversation, sentAt, sender, messageId, text };
  }
  if (asksForNoAutoReply(mail))
    return { ...message, parked: 'asks for no automatic answer', command: 'human' };
  return message;
}

/** Whether the mail was sent by this channel, or by the mailbox to itself. */
function isOwnMail(mail: Mail, account: EmailAccount): boolean {
  if (mail.messageId !== null && findOwnMessageIds(`<${mail.messageId}>`, account).length > 0) return true;
  const own = ownAddresses(account);
  return own.has(normaliseAddress(mail.from?.address ?? '')) && parseAuthor(mail, account) === null;
}

/** A contact form sends in the name of the mailbox and puts the visitor into Reply-To. */
function parseAuthor({ from, replyTo }: Mail, account: EmailAccount): Mail['from'] {
  const own = ownAddresses(account);
  const isForeign = (person: Mail['from']) => person !== null && !own.has(normaliseAddress(person.address));
  return [from, ...replyTo].find(isForeign) ?? null;
}

function replyAddress(mail: Mail, author: Mail['from'], account: EmailAccount): MailAddress {
  const own = ownAddresses(account);
  const to = mail.replyTo.find(({ address }) => !own.has(normaliseAddress(address))) ?? author;
  const previousIds = mail.references.length > 0 ? mail.references : mail.inReplyTo.slice(0, 1);
  const quote = account.settings.quote ? { text: mail.text, at: mail.receivedAt } : null;
  return {
    to: to?.address ?? '',
    name: to?.name ?? '',
    subject: mail.subject,
    references: [...new Set([...previousIds, ...(mail.messageId === null ? [] : [mail.messageId])])],
    quote,
  };
}
