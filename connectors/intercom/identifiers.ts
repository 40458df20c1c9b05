import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Sender } from '../../core/contract/inbound.ts';
import { humanOffers, offerTexts } from '../shared/offer-texts.ts';
import type { IntercomAccount } from './manifest.ts';
import type { IntercomPerson } from './payloads.ts';

const schema = z.object({ conversation: z.string().min(1) });

/** A conversation of Intercom's is one of ours. */
export function toConversationRef(conversation: string): ConversationRef {
  return { lane: conversation, address: { conversation } };
}

/** Its id. */
export function parseAddress({ address }: ConversationRef): string {
  const read = schema.safeParse(address);
  if (read.success) return read.data.conversation;
  throw new ConnectorError('This is not the address of an Intercom conversation.', {
    advice: { retry: 'never' },
  });
}

/** What begins a conversation has an id of another kind: there is one in each. */
const BEGINNING = 'source';

export function partMessageId(conversation: string, part: string): string {
  return `${conversation}/${part}`;
}

export function sourceMessageId(conversation: string): string {
  return `${conversation}/${BEGINNING}`;
}

const adminProfileSchema = z.object({ admin_id: z.string().min(1) });

/** The teammate as whom we answer; null where that is neither set nor known. */
export function findAdminId({
  settings,
  profile,
}: Pick<IntercomAccount, 'settings' | 'profile'>): string | null {
  return settings.admin_id ?? adminProfileSchema.safeParse(profile).data?.admin_id ?? null;
}

export function requireAdminId(account: IntercomAccount): string {
  const admin = findAdminId(account);
  if (admin !== null) return admin;
  throw new ConnectorError(
    'It is not known as which teammate to answer: set admin_id, or let the credentials be tried.',
    { advice: { retry: 'never' } },
  );
}

/** `us`: the teammate as whom we answer. `machine`: Fin, workflows, campaigns, and whom we do not know. */
export type AuthorKind = 'contact' | 'teammate' | 'us' | 'machine';

const contacts = ['user', 'lead', 'contact', 'visitor'];

/** Who wrote or did something; `admin` is our own id, null where that is not known. */
export function classifyAuthor(author: IntercomPerson | null, admin: string | null): AuthorKind {
  if (author?.type === 'admin') return author.id === admin ? 'us' : 'teammate';
  return contacts.includes(author?.type ?? '') ? 'contact' : 'machine';
}

const kinds: Readonly<Record<AuthorKind, Sender['kind']>> = {
  contact: 'person',
  teammate: 'person',
  us: 'self',
  machine: 'machine',
};

const identityProfileSchema = z.object({ identity_verification: z.literal(true) });

/**
 * A lead types his address himself, and so may who calls himself a user: that of a user is his own only where the
 * workspace wants users to prove who they are. Teammates are known to Intercom.
 */
export function parseSender(person: IntercomPerson | null, account: IntercomAccount): Sender {
  const author = classifyAuthor(person, findAdminId(account));
  const isProven = person?.type === 'user' && identityProfileSchema.safeParse(account.profile).success;
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

/** Of the button that calls a person: Intercom shows it to us again when it is pressed. */
export const HUMAN_BUTTON_UUID = '6d0b3f0e-3c5a-4b8e-9d7a-52f1c8a4e017';

/** What the button says; `language` is an ISO 639-1 code. */
export function humanButtonText({ settings }: IntercomAccount, language: string | undefined): string {
  return settings.person_button ?? offerTexts(language).human;
}

/** Whether these are the words of the button, of whatever language. */
export function isHumanButtonText(text: string, { settings }: IntercomAccount): boolean {
  return text === settings.person_button || humanOffers.includes(text);
}
