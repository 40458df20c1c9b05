import { z } from 'zod';
import type { SkillCustomer, SkillMoment, SkillState } from '../../../contract/skill.ts';
import { joinAlternatives } from '../../../language/find-language.ts';
import { fold } from '../../../language/words.ts';
import { type FoundContact, findEmails, findPhones } from './read-contacts.ts';
import { findName } from './read-name.ts';

const leadStateSchema = z.object({
  asked: z.array(z.enum(['name', 'contact'])),
  /** How often the visitor was asked. */
  attempts: z.number().int(),
  /** The name, if the visitor gave it before any contact details. */
  name: z.string().optional(),
  /** True if contact details were stored and only the name is missing. */
  captured: z.boolean().optional(),
});

/** The state after the skill's previous question. */
export type LeadState = z.output<typeof leadStateSchema>;

/** Returns null if nothing was asked, or if another release stored the state in another form. */
export function parseLeadState(awaited: SkillState | null): LeadState | null {
  return leadStateSchema.safeParse(awaited).data ?? null;
}

/** Words before contact details that mark them as the visitor's own, in folded text. */
const OWN = new RegExp(
  `(?<!\\p{L})(?:${joinAlternatives(({ contactWords }) => contactWords?.own)})(?!\\p{L})[^.!?]{0,30}$|(?:${joinAlternatives(({ contactWords }) => contactWords?.ownVerbs)})(?!\\p{L})[^.!?]{0,20}$`,
  'u',
);
/** Words right before contact details that mark them as another person's, in folded text. */
const OTHER_OWNER = new RegExp(
  `(?:${joinAlternatives(({ contactWords }) => contactWords?.otherOwners)})[^.!?,]{0,25}$`,
  'u',
);
const OWNER_DISTANCE = 45;

/** Finds the visitor's details in the current message, and in earlier messages if marked there as their own. */
export function findLead(
  { question, earlierQuestions }: SkillMoment,
  state: LeadState | null,
): SkillCustomer {
  const current = parseLead(question, state);
  return earlierQuestions.reduceRight((lead, words) => {
    const firstOwn = (found: readonly FoundContact[]) => ownContact(words, found);
    return {
      name: lead.name ?? findName(words, { wasAsked: false }),
      email: lead.email ?? firstOwn(findEmails(words)),
      phone: lead.phone ?? firstOwn(findPhones(words, false)),
    };
  }, current);
}

/** Finds the visitor's details in one message. */
export function parseLead(words: string, state: LeadState | null): SkillCustomer {
  const emails = findEmails(words);
  const phones = findPhones(words, state !== null);
  return {
    name: findName(words, { wasAsked: state?.asked.includes('name') ?? false }),
    email: ownContact(words, emails) ?? firstUnclaimed(words, emails),
    phone: ownContact(words, phones) ?? firstUnclaimed(words, phones),
  };
}

/** Contact details without an owner belong to the visitor who asks for contact. */
function firstUnclaimed(words: string, found: readonly FoundContact[]): string | null {
  return found.find(({ at }) => !OTHER_OWNER.test(before(words, at)))?.text ?? null;
}

function ownContact(words: string, found: readonly FoundContact[]): string | null {
  return found.find(({ at }) => OWN.test(before(words, at)))?.text ?? null;
}

function before(words: string, at: number): string {
  return fold(words.slice(Math.max(0, at - OWNER_DISTANCE), at));
}

const text = z.string().trim().min(1).max(254).nullable().catch(null);
const argumentsSchema = z.object({ name: text, email: text, phone: text });
const DIGITS = /\+?\d(?:[\s()./–-]{0,3}\d){6,14}/gu;

/** Keeps the model's arguments that occur in the visitor's messages, and drops invented ones. */
export function groundArguments(given: unknown, { question, earlierQuestions }: SkillMoment): SkillCustomer {
  const { data } = argumentsSchema.safeParse(given);
  const messages = [...earlierQuestions, question];
  return {
    name: data?.name && messages.some((words) => containsWords(words, data.name ?? '')) ? data.name : null,
    email: findGroundedEmail(messages, data?.email ?? null),
    phone: findGroundedPhone(messages, data?.phone ?? null),
  };
}

function containsWords(words: string, name: string): boolean {
  const plain = (value: string) => ` ${(fold(value).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
  return plain(name).trim() !== '' && plain(words).includes(plain(name));
}

function findGroundedEmail(messages: readonly string[], email: string | null): string | null {
  if (email === null) return null;
  const found = messages.flatMap(findEmails).map(({ text: address }) => address);
  return found.find((address) => address.toLowerCase() === email.toLowerCase()) ?? null;
}

function findGroundedPhone(messages: readonly string[], phone: string | null): string | null {
  const digits = phone?.replace(/\D/gu, '') ?? '';
  const found = messages.flatMap((words) => words.match(DIGITS) ?? []);
  return found.find((number) => number.replace(/\D/gu, '') === digits) ?? null;
}
