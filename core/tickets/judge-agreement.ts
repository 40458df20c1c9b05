import { checkClaims } from '../answering/generated/claim-check.ts';
import { hashesOf, readUnits } from '../answering/generated/clauses.ts';
import {
  areComparable,
  isSameQuantity,
  parseQuantities,
  type Quantity,
} from '../answering/generated/quantities.ts';
import { splitSentences } from '../language/sentences.ts';
import { ticketRules } from './rules.ts';

/** A question with the reply of an agent and the answer of the engine. */
export interface Compared {
  readonly question: string;
  readonly reply: string;
  readonly answer: string;
  /** ISO 639-1. */
  readonly language: string;
  /** The cosine of both texts; null if it is not known. */
  readonly cosine: number | null;
}

export interface Agreement {
  readonly agrees: boolean;
  /** The reason in one sentence, for the people who read the report. */
  readonly because: string;
}

const MAX_SENTENCES = 30;
const MAX_CHARACTERS = 4_000;

/**
 * Judges by rule whether an answer says what the agent wrote: their numbers and denials must not contradict each other,
 * and they must mean the same. The rule errs now and then: people judge a sample. Pure.
 */
export function judgeAgreement(compared: Compared): Agreement {
  const conflict = findConflict(compared);
  if (conflict !== null) return { agrees: false, because: conflict };
  const { cosine } = compared;
  const shared = shareWords(compared);
  const likeness = cosine === null ? shared : cosine + ticketRules.wordWeight * shared;
  const needed = cosine === null ? ticketRules.sharedWords : ticketRules.likeness;
  const named = cosine === null ? '' : `a likeness of ${cosine.toFixed(2)} and `;
  const measured = `They have ${named}${Math.round(shared * 100)} % of their words in common`;
  if (likeness >= needed) return { agrees: true, because: `${measured}, and no number or denial differs.` };
  return { agrees: false, because: `${measured}: too little to say the same.` };
}

function findConflict({ question, reply, answer, language }: Compared): string | null {
  const asked = parseQuantities(question);
  const written = quantitiesOf(reply).filter((one) => !asked.some((other) => isSameQuantity(one, other)));
  const said = quantitiesOf(answer);
  const missing = written.filter((one) => !said.some((other) => isSameQuantity(one, other)));
  const rival = missing.find(
    (one) => written.length === missing.length && said.some((other) => isRival(one, other)),
  );
  if (rival !== undefined) return `The agent wrote “${rival.text}”, and the answer has another number there.`;
  const units = readUnits({ ...untitled, text: reply.slice(0, MAX_CHARACTERS) }, language);
  const sentences = splitSentences(answer.slice(0, MAX_CHARACTERS)).slice(0, MAX_SENTENCES);
  const denied = sentences.find(
    (sentence) => checkClaims({ sentence, language, question, before: '' }, units).outcome === 'contradicted',
  );
  return denied === undefined ? null : 'A sentence of the answer contradicts what the agent wrote.';
}

const untitled = { chunkId: '', documentId: '', title: '', url: null, headings: [], score: 1 };

/** Numbers with a unit: others are counted, listed or named too often to compare. */
function quantitiesOf(text: string): readonly Quantity[] {
  return parseQuantities(text.slice(0, MAX_CHARACTERS)).filter(({ unit }) => unit !== '' && unit !== 'code');
}

function isRival(one: Quantity, other: Quantity): boolean {
  return areComparable(one, other) && !isSameQuantity(one, other);
}

/** The share of the words of the shorter text that the other has. */
function shareWords({ reply, answer }: Compared): number {
  const [one, other] = [hashesOf(reply.slice(0, MAX_CHARACTERS)), hashesOf(answer.slice(0, MAX_CHARACTERS))];
  const least = Math.min(one.size, other.size);
  if (least === 0) return 0;
  return [...one].filter((word) => other.has(word)).length / least;
}
