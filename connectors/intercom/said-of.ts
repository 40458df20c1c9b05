import type { ConversationRef } from '../../core/contract/account.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { adminOf } from './admin-of.ts';
import { attachmentsOf } from './attachments-of.ts';
import { authorOf } from './author-of.ts';
import { readCommand } from './commands.ts';
import { readHtml } from './html-text.ts';
import type { IntercomAccount } from './manifest.ts';
import type { IntercomPart, IntercomSource } from './notification-schema.ts';
import { senderOf } from './sender-of.ts';

interface Place {
  readonly conversation: ConversationRef;
  readonly messageId: string;
  readonly sentAt: Date;
}

/** What a contact asks, or a teammate of ours answers in Intercom's own inbox. */
export function saidOf(
  said: IntercomSource | IntercomPart,
  place: Place,
  account: IntercomAccount,
): InboundEvent {
  const sender = senderOf(said.author, account);
  const { text } = readHtml(wordsOf(said));
  if (authorOf(said.author, adminOf(account)) === 'teammate') {
    return { type: 'person-replied', ...place, sender, text };
  }
  return {
    type: 'message',
    ...place,
    sender,
    ...readCommand(text, 'metadata' in said ? said.metadata : null, account),
    attachments: attachmentsOf(said, place.messageId),
    addressed: true,
  };
}

/** What a mail is about may stand in its subject alone. */
function wordsOf(said: IntercomSource | IntercomPart): string {
  const isMail = 'subject' in said && said.type === 'email' && said.subject !== null;
  return isMail ? `<p>${said.subject}</p>${said.body ?? ''}` : (said.body ?? '');
}
