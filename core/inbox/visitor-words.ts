import { findSmallTalk } from '../answering/small-talk/small-talk.ts';
import { isHumanRequest } from '../skills/escalate-to-human/escalate-to-human.ts';

/** Characters of a message that are read. */
const mostChars = 10_000;

/** Returns the sentences of a visitor's message that ask or say something: no greetings, thanks, or wish for a person. */
export function findSubstance(content: string): string {
  const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(
    content.slice(0, mostChars),
  );
  const said = [...sentences].filter(({ segment }) => {
    const sentence = segment.trim();
    return sentence !== '' && findSmallTalk(sentence, 'en') === null && !isHumanRequest(sentence);
  });
  return said
    .map(({ segment }) => segment)
    .join('')
    .trim();
}
