import type { Json } from '../../core/contract/account.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { attachmentsOf } from './files.ts';
import type { MailAddress } from './identifiers.ts';
import { bareAddress, ownAddresses, ownMessageIds } from './identifiers.ts';
import type { EmailAccount } from './manifest.ts';
import { bounceOf, machineOf, wantsNoMachine } from './parsing/automatic-mail.ts';
import { type Mail, mailSchema, quotingSchema } from './parsing/mail.ts';
import { wordsOf } from './parsing/message-text.ts';
import { senderOf } from './parsing/sender.ts';

type Message = Extract<InboundEvent, { type: 'message' }>;

export function normalise(native: Json, account: EmailAccount): readonly InboundEvent[] {
  const read = mailSchema.safeParse(native);
  if (!read.success) {
    const quoting = quotingSchema.safeParse(native).data;
    return [
      quoting ? { type: 'related', lane: quoting.quotes } : { type: 'unsupported', nativeType: 'no mail' },
    ];
  }
  const mail = read.data;
  const bounce = bounceOf(mail, account);
  if (bounce !== null) {
    const { messageIds, because } = bounce;
    return messageIds.map((messageId) => ({
      type: 'delivery-reported',
      messageId,
      outcome: 'failed',
      because,
    }));
  }
  return [messageOf(mail, account)];
}

function messageOf(mail: Mail, account: EmailAccount): InboundEvent {
  const isOurs = isOwn(mail, account);
  const author = isOurs ? mail.from : authorOf(mail, account);
  const words = wordsOf(mail);
  const sender = senderOf(mail, account, author);
  const message: Message = {
    type: 'message',
    conversation: { lane: mail.lane, address: addressOf(mail, author, account) },
    sentAt: new Date(mail.receivedAt),
    sender,
    messageId: mail.messageId ?? `${mail.uidValidity}.${mail.uid}`,
    text: words,
    attachments: attachmentsOf(mail),
    addressed: true,
    command: null,
  };
  if (isOurs) return { ...message, sender: { ...sender, kind: 'self' } };
  const machine = machineOf(mail);
  if (machine !== null) return { ...message, sender: { ...sender, kind: 'machine' }, parked: machine };
  if (mail.isUnread) return { ...message, parked: 'the mail could not be read', command: 'human' };
  if (mail.joinedBy === 'colleague') {
    const { conversation, sentAt, messageId, text } = message;
    return { type: 'person-replied', conversation, sentAt, sender, messageId, text };
  }
  if (wantsNoMachine(mail)) return { ...message, parked: 'asks for no automatic answer', command: 'human' };
  return message;
}

/** What we sent, wherever it comes back from; and what the mailbox wrote to itself. */
function isOwn(mail: Mail, account: EmailAccount): boolean {
  if (mail.messageId !== null && ownMessageIds(`<${mail.messageId}>`, account).length > 0) return true;
  const own = ownAddresses(account);
  return own.has(bareAddress(mail.from?.address ?? '')) && authorOf(mail, account) === null;
}

/** A form on a web page writes in the name of the mailbox, and names the visitor as who is to be answered. */
function authorOf({ from, replyTo }: Mail, account: EmailAccount): Mail['from'] {
  const own = ownAddresses(account);
  const isForeign = (person: Mail['from']) => person !== null && !own.has(bareAddress(person.address));
  return [from, ...replyTo].find(isForeign) ?? null;
}

function addressOf(mail: Mail, author: Mail['from'], account: EmailAccount): MailAddress {
  const own = ownAddresses(account);
  const to = mail.replyTo.find(({ address }) => !own.has(bareAddress(address))) ?? author;
  const followed = mail.references.length > 0 ? mail.references : mail.inReplyTo.slice(0, 1);
  const quote = account.settings.quote ? { text: mail.text, at: mail.receivedAt } : null;
  return {
    to: to?.address ?? '',
    name: to?.name ?? '',
    subject: mail.subject,
    references: [...new Set([...followed, ...(mail.messageId === null ? [] : [mail.messageId])])],
    quote,
  };
}
