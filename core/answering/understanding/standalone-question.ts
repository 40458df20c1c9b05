import { detectLanguage } from '../../knowledge/text/language.ts';
import { questionStopWords, STOP_WORDS } from '../../knowledge/text/stop-words.ts';
import { fold } from '../../knowledge/text/words.ts';
import { type FollowUpSigns, followUpSigns } from './follow-up-signs.ts';

/** One earlier exchange of the conversation. */
export interface EarlierTurn {
  readonly question: string;
  /** What was answered; null where the answer was the fallback. */
  readonly answer: string | null;
}

interface StandaloneQuestion {
  /** What to search for: the question itself, or the question with what it refers to. */
  readonly searchText: string;
  /** Whether the question leans on an earlier turn. */
  readonly followUp: boolean;
}

/** A question with so many words of its own is about them, whatever it points at. */
const OWN_TOPIC = 4;
/** `And how do I …?` with so many words of its own asks anew. */
const NEW_QUESTION = 2;
/** `And for students?`: so few words ask the last question of another case. */
const BARE_PHRASE = 4;
/** A turn with fewer words of its own goes on about what was before it. */
const OWN_WORDS = 2;
/** More words of earlier turns would drown those of the question. */
const MOST_TOPIC_WORDS = 6;
const CAPITAL = /^\p{Lu}/u;
const PERSON = /\b(?:he|she|him|her|his)\b/iu;
const NAME = /(?<=\S\s)\p{Lu}\p{L}+|^\p{Lu}\p{L}+(?=\s\p{Lu})/gu;
const MOST_NAMES = 3;

/** A question that can be searched for without the conversation around it; `earlierTurns` oldest first. */
export function standaloneQuestion(
  question: string,
  earlierTurns: readonly EarlierTurn[],
): StandaloneQuestion {
  const questions = [...earlierTurns.map((turn) => turn.question), question];
  const inherited = inheritedTopic(questions);
  if (inherited === null) return { searchText: question, followUp: false };
  const people = PERSON.test(question) ? findNames(earlierTurns.at(-1)?.answer ?? '') : [];
  return {
    searchText: [question, ...inherited.slice(0, MOST_TOPIC_WORDS), ...people].join(' '),
    followUp: true,
  };
}

/** What the last of the questions takes over from those before it; null where it stands alone. */
function inheritedTopic(questions: readonly string[]): readonly string[] | null {
  const question = questions.at(-1);
  const before = questions.at(-2);
  if (question === undefined || before === undefined) return null;
  const spoken = detectSpokenLanguage(question, before);
  if (spoken === null) return null;
  const words = topicWords(question, spoken);
  if (!leansOnEarlier(question, words, spoken.signs)) return null;
  const wordsBefore = dropReplacedNames(topicWords(before, spoken), words);
  const own = new Set(words.map(({ text }) => fold(text)));
  const topic = wordsBefore
    .filter((word) => word.telling && !own.has(fold(word.text)))
    .map(({ text }) => text);
  if (topicWords(before, spoken).filter((word) => word.telling).length >= OWN_WORDS) return topic;
  return [...topic, ...(inheritedTopic(questions.slice(0, -1)) ?? [])];
}

interface SpokenLanguage {
  readonly code: string;
  readonly signs: FollowUpSigns;
}

/** A few words do not always tell their language; the question before them may. */
function detectSpokenLanguage(question: string, before: string): SpokenLanguage | null {
  for (const code of [detectLanguage(question).code, detectLanguage(before).code]) {
    const signs = followUpSigns(code);
    if (signs !== null) return { code, signs };
  }
  return null;
}

function leansOnEarlier(question: string, words: readonly TopicWord[], signs: FollowUpSigns): boolean {
  const text = question.trim();
  const own = words.filter((word) => word.telling).length;
  if (signs.pronouns.test(text.replace(signs.empty, ' '))) return own < OWN_TOPIC;
  const opening = signs.openings.exec(text)?.[0];
  if (opening !== undefined) {
    const rest = text.slice(opening.length).trim();
    return own < NEW_QUESTION || !signs.questions.test(rest);
  }
  if (words[0]?.preposition === true && words.length <= BARE_PHRASE) return own <= NEW_QUESTION;
  return own === 0 && words.length > 0 && words.length <= BARE_PHRASE && !signs.smallTalk.test(text);
}

/**
 * `And to Norway?` or `what about Norway?` after `Do you ship to Sweden?` asks of another country: what stood in the
 * place of the new words is no longer meant.
 */
function dropReplacedNames(before: readonly TopicWord[], words: readonly TopicWord[]): readonly TopicWord[] {
  const isNamed = words.every((word) => !word.telling || CAPITAL.test(word.text));
  const isPhrase = words.some((word) => word.preposition);
  if (!isNamed && !isPhrase) return before;
  let inPhrase = false;
  return before.filter((word) => {
    if (word.preposition) inPhrase = true;
    else if (!word.telling && !word.article) inPhrase = false;
    return !inPhrase || !(isPhrase || CAPITAL.test(word.text));
  });
}

function findNames(answer: string): readonly string[] {
  return [...new Set(answer.match(NAME) ?? [])].slice(0, MOST_NAMES);
}

/** A word of a question as it was written, with what it does there. */
interface TopicWord {
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
function topicWords(
  question: string,
  { code, signs }: { code: string; signs: FollowUpSigns },
): readonly TopicWord[] {
  const asking = code === 'en' ? STOP_WORDS : questionStopWords(code);
  return (question.match(WORD) ?? []).map((text) => {
    const lower = text.toLowerCase();
    const preposition = signs.prepositions.has(lower);
    const telling = !preposition && !asking.has(fold(text)) && !signs.general.has(lower);
    return { text, preposition, telling, article: ARTICLES.has(lower) };
  });
}
