import { AppError } from '../base/errors.ts';
import { defineRules } from '../base/rules.ts';
import type { Tiers } from '../contract/answer.ts';
import { searchRules } from '../knowledge/rules.ts';

/**
 * The numbers that decide how a message is understood and what is answered. Vary one with
 * `npm run eval -- FOLDER --rule answer.NAME=VALUE`. Limits of length and time stand where they are applied.
 */
export const answerRules = defineRules('answer', {
  quotedPassages: {
    value: 20,
    because:
      'A second section is looked for among as many of the best passages. The first one is completed from its document, whatever was found.',
  },
  readPassages: {
    value: 30,
    because:
      'A model judges the passages itself. Of 110 everyday questions, two have the right passage at the places 21 and 27.',
  },
  readCharacters: {
    value: 6_000,
    because: 'The passages that a model reads together, but at least one: some 1,500 tokens.',
  },
  sources: { value: 5, because: 'The maximum number of sources of an answer, in the contract of the API.' },
  nearMisses: { value: 3, because: 'The maximum number of related pages below a fallback message.' },
  languageSample: {
    value: 5,
    because: 'The number of passages whose language is taken for that of the documents.',
  },
  ownTopic: {
    value: 4,
    because: 'A question with this many content words is about them, even if it contains a pronoun.',
  },
  newQuestion: { value: 2, because: '"And how do I …?" with this many content words is a new question.' },
  barePhrase: {
    value: 4,
    because: 'Up to this many words, "and for students?" asks the previous question about another case.',
  },
  bareQuestion: { value: 2, because: 'Up to this many words, "which colours?" continues the topic.' },
  ownWords: { value: 2, because: 'A turn with fewer content words continues the topic before it.' },
  topicWords: { value: 6, because: 'More words from earlier turns would outweigh those of the question.' },
  names: { value: 3, because: 'The number of people named in the last answer that "he" or "she" may mean.' },
  parts: { value: 5, because: 'More questions in a message than that are answered with the last one.' },
  partWords: {
    value: 3,
    because: 'With fewer words a question such as "Really?" belongs to the one before it.',
  },
  unspacedPartCharacters: {
    value: 5,
    because: 'In scripts without spaces, characters are counted instead of words.',
  },
  unmarkedCharacters: { value: 160, because: 'A longer line without a question mark is running text.' },
  unmarkedLines: {
    value: 6,
    because: 'A message of more lines is a letter, whose lines are no questions of their own.',
  },
  unknownWords: {
    value: 2,
    because:
      'With this many words that no passage holds, if they outnumber the others, the rest of a sentence is checked before it is shown.',
  },
});

/** The numbers that decide how much of a document is shown. Vary one with `--rule quote.NAME=VALUE`. */
export const quoteRules = defineRules('quote', {
  sectionCharacters: {
    value: 900,
    because:
      'A section of a help page up to this length is shown whole: over pages that nobody tuned to, the whole section is right where chosen sentences are not (79 against 58 of 110 messages).',
  },
  wholeCharacters: {
    value: 2_400,
    because: 'A list, a table or code that goes on in the next passage is completed up to this length.',
  },
  plainCharacters: {
    value: 300,
    because: 'A section up to this length is read at a glance: nothing is put before it.',
  },
  secondShare: {
    value: 0.75,
    because:
      'A second section is shown if its probability is this share of the first one at least. Showing always two brings a little more right answers, at twice the length.',
  },
});

/** Returns the tiers of a workspace that has not moved them. */
export function defaultTiers(): Tiers {
  return { answer: searchRules.answerThreshold, maybe: searchRules.maybeThreshold };
}

/** The limits that an owner can move. Equal ones mean that there is no second tier. */
interface TierSettings {
  readonly answer_from?: number | null | undefined;
  readonly maybe_from?: number | null | undefined;
}

/** Returns the tiers of a workspace. A lower limit that is not set never lies above the upper one. */
export function tiersOf(settings: TierSettings): Tiers {
  const usual = defaultTiers();
  const answer = settings.answer_from ?? usual.answer;
  return { answer, maybe: Math.min(settings.maybe_from ?? usual.maybe, answer) };
}

/** Throws `invalid_settings` if the lower limit was set above the upper one. */
export function requireOrderedTiers(settings: TierSettings): void {
  const { maybe_from: given } = settings;
  const { answer, maybe } = tiersOf(settings);
  if (given == null || given <= maybe) return;
  throw new AppError('invalid_settings', {
    detail: `Problem at maybe_from: must be at most answer_from, which is ${answer}. Equal values mean that no answer is marked as unsure.`,
  });
}
