import type { SkillCustomer, SkillMoment } from '../../contract/skill.ts';
import { fold } from '../../knowledge/fold.ts';
import type { LeadState } from './lead-state.ts';
import { type FoundContact, readEmails } from './read-emails.ts';
import { readName } from './read-name.ts';
import { readPhones } from './read-phones.ts';

/** Words before an address that say whose it is; of folded text. */
const OWN =
  /(?<!\p{L})(?:my|me|mine|i'm|us|our|mein\p{L}{0,3}|mich|mir|uns\p{L}{0,4}|mis?|mon|ma|moi|nous|notre|nosotros|mio|mia|meu|minha|mijn|mij)(?!\p{L})[^.!?]{0,30}$|(?:llam|contact|escrib)\p{L}{0,12}me(?!\p{L})[^.!?]{0,20}$/u;
/** Words right before an address that is another one's; of folded text. */
const FOREIGN =
  /(?:invit|\badd|remov|delet|user|colleague|customer|client|einlad|hinzu|kolleg|nutzer|kunde|anad|elimin|usuari|ajout|supprim|utilisat)[^.!?,]{0,25}$/u;
const NEAR = 45;

/** What the visitor told of himself, in his own words: now, or before in words that say that it is his. */
export function toldLead(
  { question, earlierQuestions }: SkillMoment,
  state: LeadState | null,
): SkillCustomer {
  const told = readLead(question, state);
  return earlierQuestions.reduceRight((lead, words) => {
    const own = (found: readonly FoundContact[]) => ownContact(words, found);
    return {
      name: lead.name ?? readName(words, { wasAsked: false }),
      email: lead.email ?? own(readEmails(words)),
      phone: lead.phone ?? own(readPhones(words, false)),
    };
  }, told);
}

/** What one message tells of the visitor. */
export function readLead(words: string, state: LeadState | null): SkillCustomer {
  const emails = readEmails(words);
  const phones = readPhones(words, state !== null);
  return {
    name: readName(words, { wasAsked: state?.asked.includes('name') ?? false }),
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
