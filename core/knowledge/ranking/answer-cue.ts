import { joinAlternatives } from '../../language/find-language.ts';
import type { AnswerCues, AnswerCue as LanguageCue } from '../../language/grammar.ts';
import { searchRules } from '../rules.ts';

interface Cue {
  readonly asks: RegExp;
  readonly answers: RegExp;
}

type CueName = {
  [Name in keyof AnswerCues]-?: NonNullable<AnswerCues[Name]> extends LanguageCue ? Name : never;
}[keyof AnswerCues];

const asks = (name: CueName) => joinAlternatives(({ grammar }) => grammar?.answerCues?.[name]?.asks);
const names = (name: CueName) => joinAlternatives(({ grammar }) => grammar?.answerCues?.[name]?.names);
const forms = (name: CueName) => joinAlternatives(({ grammar }) => grammar?.answerCues?.[name]?.forms);
const means = joinAlternatives(({ grammar }) => grammar?.answerCues?.phoneMeans);
const rates = joinAlternatives(({ grammar }) => grammar?.answerCues?.rates);
const placeArticle = joinAlternatives(({ grammar }) => grammar?.answerCues?.placeArticle);

const CUES: readonly Cue[] = [
  { asks: new RegExp(`(?<!\\b(?:${means}) )(?:${asks('phone')})`, 'iu'), answers: /\+?\d[\d ]{6,}\d/u },
  {
    asks: new RegExp(asks('time'), 'iu'),
    answers: new RegExp(
      `\\b\\d{1,2}(?:[.:]\\d{2})? ?[ap]\\.?m\\b|\\b\\d{1,2}[.:]\\d{2}\\b|${forms('time')}`,
      'iu',
    ),
  },
  {
    asks: new RegExp(asks('duration'), 'iu'),
    answers: new RegExp(`\\b(?<!\\b(?:${rates}) )(?:${names('duration')})\\b`, 'iu'),
  },
  {
    asks: new RegExp(asks('price'), 'iu'),
    answers: new RegExp(`\\p{Sc} ?\\d|\\d ?\\p{Sc}|${forms('price')}`, 'iu'),
  },
  {
    asks: new RegExp(`^\\W*(?:${asks('howTo')})`, 'iu'),
    answers: new RegExp(`^\\s*(?:\\d{1,3}[.)] )?(?:${forms('howTo')})`, 'iu'),
  },
  { asks: new RegExp(asks('percent'), 'iu'), answers: new RegExp(`%|${forms('percent')}`, 'iu') },
  {
    asks: new RegExp(asks('date'), 'iu'),
    answers: new RegExp(`\\b(?:1\\d{3}|20\\d{2}|${names('date')})(?:day)?\\b|${forms('date')}`, 'iu'),
  },
  { asks: new RegExp(asks('measure'), 'iu'), answers: new RegExp(`\\p{N}|${forms('measure')}`, 'iu') },
];
const WHO = new RegExp(asks('who'), 'iu');
const WHERE = new RegExp(asks('where'), 'iu');
const NAME = /(?=\p{Lu})(?<=\S\s+["'“(]?)\p{Lu}\p{L}+/gu;
const PLACE = new RegExp(`\\b(?:${names('where')})\\s+(?:(?:${placeArticle})\\s+)?(\\p{Lu}\\p{L}+)`, 'gu');

/** The kind of thing that a question asks for: a date, an amount, a name. */
export interface AnswerCue {
  /** Whether the question tells the kind. */
  readonly isTold: boolean;
  /** How well a sentence contains a thing of the kind, 0 to 1. */
  readonly score: (sentence: string) => number;
}

/** Reads from a question what kind of thing it asks for. */
export function readAnswerCue(question: string): AnswerCue {
  const cue = CUES.find(({ asks }) => asks.test(question));
  if (cue !== undefined) return { isTold: true, score: (sentence) => (cue.answers.test(sentence) ? 1 : 0) };
  const lowerCaseQuestion = question.toLowerCase();
  const isNew = (name: string) => !lowerCaseQuestion.includes(name.toLowerCase());
  if (WHO.test(question))
    return { isTold: true, score: (sentence) => ((sentence.match(NAME) ?? []).some(isNew) ? 1 : 0) };
  if (!WHERE.test(question)) return { isTold: false, score: () => searchRules.noCue };
  const score = (sentence: string) =>
    Array.from(sentence.matchAll(PLACE), (match) => match[1] ?? '').some(isNew) ? 1 : searchRules.noPlace;
  return { isTold: true, score };
}
