import { z } from 'zod';
import type { Tier } from '../../contract/answer.ts';
import { type Expectation, type Given, judge, outcomes, type Verdict } from '../judge.ts';

/** A message of a scripted customer, and what must hold of the reply. */
export const scriptTurnSchema = z.object({
  message: z.string(),
  /** The reply rests on this document. */
  document_id: z.string().nullable(),
  /** The reply has this text, upper and lower case and punctuation aside. */
  phrase: z.string().nullable(),
  /** The reply gives no answer. */
  refuse: z.boolean(),
  /** The reply hands the conversation over to a person. */
  person: z.boolean(),
  /** The reply is an answer, or at least one that says it is unsure. */
  tier: z.enum(['answer', 'maybe']).nullable(),
});

export type ScriptTurn = z.output<typeof scriptTurnSchema>;

/** A turn of a run: what the customer said, what was replied, and whether that is as it must be. */
export const playedTurnSchema = z.object({
  message: z.string(),
  reply: z.string(),
  outcome: z.enum(outcomes),
  because: z.string(),
  tier: z.string().nullable(),
  source_title: z.string().nullable(),
});

export type PlayedTurn = z.output<typeof playedTurnSchema>;

/** A reply to judge. */
export interface GivenReply extends Given {
  /** `none` also for small talk and the texts of skills. */
  readonly tier: Tier;
  /** Whether it hands the conversation over to a person, or one has it already. */
  readonly isHandedOver: boolean;
}

const anything: Expectation = {
  expects: 'answer',
  accepted: [],
  documentId: null,
  section: null,
  said: null,
};

/** Returns whether anything must hold of the reply. Pure. */
export function isExpecting({ document_id, phrase, refuse, person, tier }: ScriptTurn): boolean {
  return document_id !== null || phrase !== null || refuse || person || tier !== null;
}

/**
 * Judges a reply by everything that must hold of it; the first thing that does not hold decides. A right answer that says it is unsure
 * counts as unsure, unless the script allows that. Pure.
 */
export function judgeTurn(turn: ScriptTurn, given: GivenReply): Verdict {
  const verdicts = [...judgePerson(turn, given), ...judgeTier(turn, given), ...judgeText(turn, given)];
  const failed = verdicts.find(({ outcome }) => outcome !== 'right' && outcome !== 'unsure');
  const [first] = verdicts;
  if (failed !== undefined || first === undefined)
    return failed ?? { outcome: 'right', because: 'Nothing must hold of this reply.' };
  return verdicts.find(({ outcome }) => outcome === 'unsure') ?? first;
}

function judgePerson({ refuse, person }: ScriptTurn, given: GivenReply): readonly Verdict[] {
  const { isHandedOver } = given;
  const called: Verdict = isHandedOver
    ? { outcome: 'right', because: 'The conversation is handed over to a person.' }
    : { outcome: 'wrong', because: 'The conversation is not handed over to a person.' };
  return [
    ...(person ? [called] : []),
    ...(refuse ? [judge({ ...anything, expects: 'nothing' }, given)] : []),
  ].map((verdict) =>
    // A script that expects no answer fails also if one is given that says it is unsure.
    refuse && verdict.outcome === 'unsure' ? { ...verdict, outcome: 'wrong' } : verdict,
  );
}

function judgeTier({ tier }: ScriptTurn, given: GivenReply): readonly Verdict[] {
  if (tier === null) return [];
  if (given.tier === 'none') return [{ outcome: 'refused', because: 'No answer was given.' }];
  return tier === 'answer' && given.tier === 'maybe'
    ? [{ outcome: 'wrong', because: 'The answer says that it is unsure.' }]
    : [{ outcome: 'right', because: 'The answer is as sure as it must be.' }];
}

function judgeText(turn: ScriptTurn, given: GivenReply): readonly Verdict[] {
  const { document_id: documentId, phrase } = turn;
  // With a tier that must be reached at least, being unsure is judged by that.
  const answer: Given = turn.tier === null || given.tier === 'none' ? given : { ...given, tier: 'answer' };
  return [
    ...(phrase === null ? [] : [judgePhrase(phrase, answer)]),
    ...(documentId === null ? [] : [judge({ ...anything, documentId }, answer)]),
  ];
}

/** The text of a skill or of small talk may have the phrase as well. */
function judgePhrase(phrase: string, given: Given): Verdict {
  const accepted = [phrase];
  if (given.tier !== 'none') return judge({ ...anything, accepted }, given);
  const verdict = judge({ ...anything, accepted }, { ...given, tier: 'answer' });
  return verdict.outcome === 'right' ? verdict : judge({ ...anything, accepted }, given);
}

/** Judges a script by its turns: the first one that failed decides. Pure. */
export function judgeScript(turns: readonly Verdict[]): Verdict {
  const name = (verdict: Verdict): Verdict => ({
    ...verdict,
    because: `Turn ${turns.indexOf(verdict) + 1}: ${verdict.because}`,
  });
  const failed = turns.find(({ outcome }) => outcome !== 'right' && outcome !== 'unsure');
  if (failed !== undefined) return name(failed);
  const unsure = turns.find(({ outcome }) => outcome === 'unsure');
  return unsure === undefined ? { outcome: 'right', because: 'Every reply is as it must be.' } : name(unsure);
}
