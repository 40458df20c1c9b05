import { z } from 'zod';
import type { SkillCustomer, SkillMoment, SkillState } from '../../contract/skill.ts';
import { fold } from '../../knowledge/text/words.ts';
import { type FoundContact, findEmails, findPhones } from './read-contacts.ts';
import { findName } from './read-name.ts';

const leadStateSchema = z.object({
  asked: z.array(z.enum(['name', 'contact'])),
  /** How often the visitor was asked already. */
  attempts: z.number().int(),
  /** What he told while the way of contact was still missing. */
  name: z.string().optional(),
  /** Whether a way of contact was stored, so that only the name is missing. */
  captured: z.boolean().optional(),
});

/** What the skill asked for in the answer before. */
export type LeadState = z.output<typeof leadStateSchema>;

/** Null where nothing was asked for, or a release with another form of it did. */
export function parseLeadState(awaited: SkillState | null): LeadState | null {
  return leadStateSchema.safeParse(awaited).data ?? null;
}

/** Words before an address that say whose it is; of folded text. */
const OWN =
  /(?<!\p{L})(?:my|me|mine|i'm|us|our|mein\p{L}{0,3}|mich|mir|uns\p{L}{0,4}|mis?|mon|ma|moi|nous|notre|nosotros|mio|mia|meu|minha|mijn|mij)(?!\p{L})[^.!?]{0,30}$|(?:llam|contact|escrib)\p{L}{0,12}me(?!\p{L})[^.!?]{0,20}$/u;
/** Words right before an address that is another one's; of folded text. */
const FOREIGN =
  /(?:invit|\badd|remov|delet|user|colleague|customer|client|einlad|hinzu|kolleg|nutzer|kunde|anad|elimin|usuari|ajout|supprim|utilisat)[^.!?,]{0,25}$/u;
const NEAR = 45;

/** What the visitor told of himself, in his own words: now, or before in words that say that it is his. */
export function findLead(
  { question, earlierQuestions }: SkillMoment,
  state: LeadState | null,
): SkillCustomer {
  const told = parseLead(question, state);
  return earlierQuestions.reduceRight((lead, words) => {
    const own = (found: readonly FoundContact[]) => ownContact(words, found);
    return {
      name: lead.name ?? findName(words, { wasAsked: false }),
      email: lead.email ?? own(findEmails(words)),
      phone: lead.phone ?? own(findPhones(words, false)),
    };
  }, told);
}

/** What one message tells of the visitor. */
export function parseLead(words: string, state: LeadState | null): SkillCustomer {
  const emails = findEmails(words);
  const phones = findPhones(words, state !== null);
  return {
    name: findName(words, { wasAsked: state?.asked.includes('name') ?? false }),
    email: ownContact(words, emails) ?? firstOf(words, emails),
    phone: ownContact(words, phones) ?? firstOf(words, phones),
  };
}

/** Who asks to be contacted means the address beside it, unless he says that it is another one's. */
function firstOf(words: string, found: readonly FoundContact[]): string | null {
  return found.find(({ at }) => !FOREIGN.test(before(words, at)))?.text ?? null;
}

function ownContact(words: string, found: readonly FoundContact[]): string | null {
  return found.find(({ at }) => OWN.test(before(words, at)))?.text ?? null;
}

function before(words: string, at: number): string {
  return fold(words.slice(Math.max(0, at - NEAR), at));
}

const text = z.string().trim().min(1).max(254).nullable().catch(null);
const argumentsSchema = z.object({ name: text, email: text, phone: text });
const DIGITS = /\+?\d(?:[\s()./–-]{0,3}\d){6,14}/gu;

/** Of the arguments that a model gave, those that stand in the visitor's own words; the others are dropped. */
export function groundArguments(given: unknown, { question, earlierQuestions }: SkillMoment): SkillCustomer {
  const { data } = argumentsSchema.safeParse(given);
  const said = [...earlierQuestions, question];
  return {
    name: data?.name && said.some((words) => containsWords(words, data.name ?? '')) ? data.name : null,
    email: findGroundedEmail(said, data?.email ?? null),
    phone: findGroundedPhone(said, data?.phone ?? null),
  };
}

function containsWords(words: string, name: string): boolean {
  const plain = (value: string) => ` ${(fold(value).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
  return plain(name).trim() !== '' && plain(words).includes(plain(name));
}

function findGroundedEmail(said: readonly string[], email: string | null): string | null {
  if (email === null) return null;
  const found = said.flatMap(findEmails).map(({ text: address }) => address);
  return found.find((address) => address.toLowerCase() === email.toLowerCase()) ?? null;
}

function findGroundedPhone(said: readonly string[], phone: string | null): string | null {
  const digits = phone?.replace(/\D/gu, '') ?? '';
  const found = said.flatMap((words) => words.match(DIGITS) ?? []);
  return found.find((number) => number.replace(/\D/gu, '') === digits) ?? null;
}
