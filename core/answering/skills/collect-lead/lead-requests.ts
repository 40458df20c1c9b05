import { joinAlternatives, listParts } from '../../../language/find-language.ts';
import { createRequestMatcher, normaliseSpeech } from '../request-matcher.ts';
import { type LeadState, parseLead } from './read-lead.ts';

const isRequest = createRequestMatcher(({ contactRequests }) => contactRequests);
/** Words of developers, whose sentences only look like such a request. */
const TECHNICAL = new RegExp(
  `(?<!\\p{L})(?:${joinAlternatives(({ contactWords }) => contactWords?.technical)})(?!\\p{L})`,
  'u',
);

/** Returns whether visitors ask to be called, written to or sent an offer themselves. */
export function isContactRequest(words: string): boolean {
  return normaliseSpeech(words).some((sentence) => isRequest(sentence) && !TECHNICAL.test(sentence));
}

const QUESTION = new RegExp(
  `[?¿]|^\\s*(?:${joinAlternatives(({ contactWords }) => contactWords?.questions)})(?!\\p{L})`,
  'iu',
);

/** An upper-case letter, or any letter of a script without case. */
const STARTS_LIKE_NAME = /^[\p{Lu}\p{Lt}\p{Lo}]/u;

/** Returns whether a message answers or refuses the skill's question; a new question does neither. */
export function isLeadReply(words: string, state: LeadState): boolean {
  if (isRefusal(words)) return true;
  const { name, email, phone } = parseLead(words, state);
  // A question with contact details is an answer too, unless it may be a question about them.
  if (email !== null || phone !== null)
    return !QUESTION.test(words) || startsWithContact(words, email ?? phone ?? '');
  if (name === null || !state.asked.includes('name') || QUESTION.test(words)) return false;
  // If contact details were asked for too, a bare lower-case text (`shipping costs`) is a new topic, not a name.
  return !state.asked.includes('contact') || words.trim() !== name || STARTS_LIKE_NAME.test(name);
}

function startsWithContact(words: string, contact: string): boolean {
  const before = words.slice(0, words.indexOf(contact));
  return !QUESTION.test(before);
}

const refusals = joinAlternatives(({ contactWords }) => contactWords?.refusals);
/** Words for the details that the visitor refuses to give. */
const refusedDetails = `(?: (?:${joinAlternatives(({ contactWords }) => contactWords?.refusedDetails)}|mailaddress))*`;
const polite = listParts(({ courtesies }) => courtesies)
  .flatMap(({ openers, closers }) => [...openers, ...closers])
  .join('|');
const REFUSAL = new RegExp(
  `^(?:(?:${polite}|,) ){0,6}(?:${refusals})${refusedDetails}(?: (?:${polite}|,|${refusals})${refusedDetails}){0,6}$`,
  'u',
);
const POLITE = new RegExp(`^(?:${polite})(?: (?:${polite}|,)){0,6}$`, 'u');

/** Returns whether a message is a refusal and nothing else: `no, how much is it?` is a question. */
export function isRefusal(words: string): boolean {
  if (/[?¿]/u.test(words)) return false;
  const sentences = normaliseSpeech(words);
  return (
    sentences.some((sentence) => REFUSAL.test(sentence)) &&
    sentences.every((sentence) => REFUSAL.test(sentence) || POLITE.test(sentence))
  );
}
