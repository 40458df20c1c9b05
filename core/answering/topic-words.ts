import { fold } from '../knowledge/fold.ts';
import { questionWords } from '../knowledge/question-words.ts';
import { STOP_WORDS } from '../knowledge/stop-words.ts';
import type { FollowUpSigns } from './follow-up-signs.ts';

/** A word of a question as it was written, with what it does there. */
export interface TopicWord {
  readonly text: string;
  /** Whether it tells what the question is about. */
  readonly telling: boolean;
  readonly preposition: boolean;
  readonly article: boolean;
}

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}.@_-]*[\p{L}\p{M}\p{N}])?/gu;
const ARTICLES = new Set(
  'a an the my your our der die das den dem des ein eine einen einem einer mein meine el la los las un una mi mis le les l une mon ma mes il lo gli i o os as um uma het een de'.split(
    ' ',
  ),
);

/** The words of a question. `code` is the language as `questionLanguage` gives it. */
export function topicWords(
  question: string,
  { code, signs }: { code: string; signs: FollowUpSigns },
): readonly TopicWord[] {
  const asking = code === 'en' ? STOP_WORDS : questionWords(code);
  return (question.match(WORD) ?? []).map((text) => {
    const lower = text.toLowerCase();
    const preposition = signs.prepositions.has(lower);
    const telling = !preposition && !asking.has(fold(text)) && !signs.general.has(lower);
    return { text, preposition, telling, article: ARTICLES.has(lower) };
  });
}
