import { z } from 'zod';
import type { Sender } from '../../core/contract/inbound.ts';
import { adminOf } from './admin-of.ts';
import { type Author, authorOf } from './author-of.ts';
import type { IntercomAccount } from './manifest.ts';
import type { IntercomPerson } from './notification-schema.ts';

const kinds: Readonly<Record<Author, Sender['kind']>> = {
  contact: 'person',
  teammate: 'person',
  us: 'self',
  machine: 'machine',
};

const profileSchema = z.object({ identity_verification: z.literal(true) });

/**
 * A lead types his address himself, and so may who calls himself a user: that of a user is his own only where the
 * workspace wants users to prove who they are. Teammates are known to Intercom.
 */
export function senderOf(person: IntercomPerson | null, account: IntercomAccount): Sender {
  const author = authorOf(person, adminOf(account));
  const isProven = person?.type === 'user' && profileSchema.safeParse(account.profile).success;
  const isKnown = isProven || author === 'teammate';
  return {
    id: person?.id ?? '',
    name: person?.name || null,
    email: isKnown ? person?.email || null : null,
    phone: null,
    language: null,
    kind: kinds[author],
  };
}
