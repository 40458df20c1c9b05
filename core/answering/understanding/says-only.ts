import { fold } from '../../knowledge/fold.ts';
import { questionLanguage } from '../../knowledge/question-language.ts';
import { questionWords } from '../../knowledge/question-words.ts';
import { splitWords } from '../../knowledge/split-words.ts';
import { dictionaryWords, isUnspaced } from '../../knowledge/word-tokens.ts';
import { followUpSigns } from '../follow-up-signs.ts';
import { wordKeys } from '../writing/word-keys.ts';

/**
 * Whether every word of a text that tells something is among what was said, in whatever form. Words that only ask or
 * join others may be new.
 */
export function saysOnly(text: string, said: readonly string[]): boolean {
  const all = fold(said.join('\n'));
  const known = new Set(wordKeys(all).map(({ hash }) => hash));
  const isSmall = smallWords(text);
  return splitWords(fold(text)).every((word) => {
    if (isSmall(word)) return true;
    if (!isUnspaced(word)) return wordKeys(word).every(({ hash }) => known.has(hash));
    // Where nothing parts the words, what stands beside one another is new in every other sentence.
    return dictionaryWords(word).every((part) => isSmall(part) || all.includes(part));
  });
}

function smallWords(text: string): (word: string) => boolean {
  const { code } = questionLanguage(text);
  const asking = questionWords(code);
  const prepositions = followUpSigns(code)?.prepositions;
  return (word) => asking.has(word) || prepositions?.has(word) === true;
}
