import type { Sender } from '../../core/contract/inbound.ts';
import { authenticatedSender } from './authenticated-sender.ts';
import { headerOf, type Mail } from './mail.ts';
import type { EmailAccount } from './manifest.ts';

type Person = NonNullable<Mail['from']>;

/** Who wrote a mail. His address counts as his only where our own mail host vouches for it. */
export function senderOf(mail: Mail, account: EmailAccount, author: Person | null): Sender {
  const isFrom = author !== null && author.address === mail.from?.address;
  return {
    id: author?.address.toLowerCase() ?? '',
    name: author?.name || null,
    email: isFrom ? authenticatedSender(mail, account) : null,
    phone: null,
    language: languageOf(mail),
    kind: 'person',
  };
}

/** `de-DE, en`: of more than one nothing is told. */
function languageOf(mail: Mail): string | null {
  const told = headerOf(mail, 'content-language')?.trim().toLowerCase() ?? '';
  return /^([a-z]{2})(-[a-z]+)?$/.exec(told)?.[1] ?? null;
}
