import { declines } from './declines.ts';
import type { LeadState } from './lead-state.ts';
import { readLead } from './told-lead.ts';

const QUESTION =
  /[?¿]|^\s*(?:how|what|when|where|who|why|which|do|does|did|is|are|wie|was|wann|wo|wer|warum|welche\p{L}*|c[oó]mo|qu[eé]|cu[aá]ndo|d[oó]nde|qui[eé]n|comment|quand|o[uù]|pourquoi|quels?|quelles?)(?!\p{L})/iu;

/** As names are, with a capital, where the script has those. */
const WRITTEN = /^[\p{Lu}\p{Lt}\p{Lo}]/u;

/** Whether a message tells what was asked for, or refuses to; a question of its own does neither. */
export function answersRequest(words: string, state: LeadState): boolean {
  if (declines(words)) return true;
  const { name, email, phone } = readLead(words, state);
  // A question that comes with an address is not only a question, unless it may be about that address.
  if (email !== null || phone !== null)
    return !QUESTION.test(words) || startsWithIt(words, email ?? phone ?? '');
  if (name === null || !state.asked.includes('name') || QUESTION.test(words)) return false;
  // Who was asked for an address too and writes `shipping costs` has gone on to something else.
  return !state.asked.includes('contact') || words.trim() !== name || WRITTEN.test(name);
}

function startsWithIt(words: string, contact: string): boolean {
  const before = words.slice(0, words.indexOf(contact));
  return !QUESTION.test(before);
}
