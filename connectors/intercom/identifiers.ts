import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Sender } from '../../core/contract/inbound.ts';
import { humanOffers, offerTexts } from '../shared/offer-texts.ts';
import type { IntercomAccount } from './manifest.ts';
import type { IntercomPerson } from './payloads.ts';

const schema = z.object({ conversation: z.string().min(1) });

/** Each Intercom conversation is one conversation. */
export function toConversationRef(conversation: string): ConversationRef {
  return { lane: conversation, address: { conversation } };
}

/** Returns the id of the Intercom conversation. */
export function parseAddress({ address }: ConversationRef): string {
  const parsed = schema.safeParse(address);
  if (parsed.success) return parsed.data.conversation;
  throw new ConnectorError('The stored address is not an Intercom conversation.', {
    advice: { retry: 'never' },
  });
}

/** The first message of a conversation has an id of another kind, and each conversation has exactly one. */
const SOURCE = 'source';

export function partMessageId(conversation: string, part: string): string {
  return `${conversation}/${part}`;
}

export function sourceMessageId(conversation: string): string {
  return `${conversation}/${SOURCE}`;
}

const adminProfileSchema = z.object({ admin_id: z.string().min(1) });

/** Returns the id of the bot's teammate; null if it is neither set nor known from the probe. */
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
    'The teammate that answers is unknown. Set admin_id, or let Parley check the credentials.',
    { advice: { retry: 'never' } },
  );
}

/** `bot`: the teammate that the bot answers as. `machine`: Fin, workflows, campaigns and unknown authors. */
export type AuthorKind = 'contact' | 'teammate' | 'bot' | 'machine';

const contacts = ['user', 'lead', 'contact', 'visitor'];

/** Classifies the author of a message or action. `admin` is the id of the bot's teammate, null if unknown. */
export function classifyAuthor(author: IntercomPerson | null, admin: string | null): AuthorKind {
  if (author?.type === 'admin') return author.id === admin ? 'bot' : 'teammate';
  return contacts.includes(author?.type ?? '') ? 'contact' : 'machine';
}

const kinds: Readonly<Record<AuthorKind, Sender['kind']>> = {
  contact: 'person',
  teammate: 'person',
  bot: 'self',
  machine: 'machine',
};

const identityProfileSchema = z.object({ identity_verification: z.literal(true) });

/**
 * Parses a sender. Leads and users can enter any email address, so an address counts only for users of a workspace with
 * identity verification, and for teammates, whom Intercom knows.
 */
export function parseSender(person: IntercomPerson | null, account: IntercomAccount): Sender {
  const author = classifyAuthor(person, findAdminId(account));
  const isVerifiedUser = person?.type === 'user' && identityProfileSchema.safeParse(account.profile).success;
  const isTrusted = isVerifiedUser || author === 'teammate';
  return {
    id: person?.id ?? '',
    name: person?.name || null,
    email: isTrusted ? person?.email || null : null,
    phone: null,
    language: null,
    kind: kinds[author],
  };
}

/** The id of the button that calls a person. Intercom returns it when the button is pressed. */
export const HUMAN_BUTTON_UUID = '6d0b3f0e-3c5a-4b8e-9d7a-52f1c8a4e017';

/** The id of the button that says that an answer helped. */
export const HELPED_BUTTON_UUID = 'b1f0a6a4-77a5-4c06-8f0c-9b6d2e41c3aa';

/** Returns the label of the button that calls a person. `language` is an ISO 639-1 code. */
export function humanButtonText({ settings }: IntercomAccount, language: string | undefined): string {
  return settings.person_button ?? offerTexts(language).human;
}

/** Returns whether a text is the button's label in any language. */
export function isHumanButtonText(text: string, { settings }: IntercomAccount): boolean {
  return text === settings.person_button || humanOffers.includes(text);
}
