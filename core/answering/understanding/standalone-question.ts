import type { EarlierTurn } from '../../contract/answer.ts';
import { findLanguage, joinAlternatives, uniteWords } from '../../language/find-language.ts';
import type { FollowUpSigns } from '../../language/grammar.ts';
import { detectLanguage } from '../../language/language.ts';
import { questionStopWords, STOP_WORDS } from '../../language/stop-words.ts';
import { fold } from '../../language/words.ts';
import { answerRules } from '../rules.ts';

interface StandaloneQuestion {
  /** The text to search for: the question itself, or the question with the topic it refers to. */
  readonly searchText: string;
  /** Whether the question refers to an earlier turn. */
  readonly followUp: boolean;
  /** The words of the question itself that name what is asked, in lower case. */
  readonly own: readonly string[];
  /** The topic of the earlier turn, for a question that may refer to it although no sign says so; else empty. */
  readonly topic: readonly string[];
}

const CAPITAL = /^\p{Lu}/u;
const PERSON = new RegExp(`\\b(?:${joinAlternatives(({ grammar }) => grammar?.personPronouns)})\\b`, 'iu');
const NAME = /(?<=\S\s)\p{Lu}\p{L}+|^\p{Lu}\p{L}+(?=\s\p{Lu})/gu;

/** Returns a text that can be searched for without the conversation. `earlierTurns` are oldest first. */
export function standaloneQuestion(
  question: string,
  earlierTurns: readonly EarlierTurn[],
): StandaloneQuestion {
  const questions = [...earlierTurns.map((turn) => turn.question), question];
  const inherited = inheritedTopic(questions);
  const own = ownWords(question, earlierTurns.at(-1)?.question ?? question);
  if (inherited === null) {
    const topic = own.length > 0 && own.length < answerRules.ownTopic ? lastTopic(earlierTurns) : [];
    return { searchText: question, followUp: false, own, topic };
  }
  const people = PERSON.test(question) ? findNames(earlierTurns.at(-1)?.answer ?? '') : [];
  return {
    searchText: [question, ...inherited.slice(0, answerRules.topicWords), ...people].join(' '),
    followUp: true,
    own,
    topic: [],
  };
}

function ownWords(question: string, before: string): readonly string[] {
  const spoken = detectSpokenLanguage(question, before);
  if (spoken === null) return [];
  return topicWords(question, spoken).flatMap(({ telling, text }) => (telling ? [fold(text)] : []));
}

function lastTopic(earlierTurns: readonly EarlierTurn[]): readonly string[] {
  const before = earlierTurns.at(-1)?.question;
  return before === undefined ? [] : ownWords(before, before).slice(0, answerRules.topicWords);
}

/** Returns the topic words that the last question inherits from the earlier ones; null if it is independent. */
function inheritedTopic(questions: readonly string[]): readonly string[] | null {
  const question = questions.at(-1);
  const before = questions.at(-2);
  if (question === undefined || before === undefined) return null;
  const spoken = detectSpokenLanguage(question, before);
  if (spoken === null) return null;
  const words = topicWords(question, spoken);
  if (!isFollowUp(question, words, spoken.signs)) return null;
  const wordsBefore = dropReplacedNames(topicWords(before, spoken), words);
  const own = new Set(words.map(({ text }) => fold(text)));
  const topic = wordsBefore
    .filter((word) => word.telling && !own.has(fold(word.text)))
    .map(({ text }) => text);
  if (topicWords(before, spoken).filter((word) => word.telling).length >= answerRules.ownWords) return topic;
  return [...topic, ...(inheritedTopic(questions.slice(0, -1)) ?? [])];
}

interface SpokenLanguage {
  readonly code: string;
  readonly signs: FollowUpSigns;
}

/** A short question may not reveal its language; the previous question may. */
function detectSpokenLanguage(question: string, before: string): SpokenLanguage | null {
  for (const code of [detectLanguage(question).code, detectLanguage(before).code]) {
    const signs = findLanguage(code)?.grammar?.followUp;
    if (signs !== undefined) return { code, signs };
  }
  return null;
}

function isFollowUp(question: string, words: readonly TopicWord[], signs: FollowUpSigns): boolean {
  const text = question.trim();
  const own = words.filter((word) => word.telling).length;
  if (signs.pronouns.test(text.replace(signs.empty, ' '))) return own < answerRules.ownTopic;
  const opening = signs.openings.exec(text)?.[0];
  if (opening !== undefined) {
    const rest = text.slice(opening.length).trim();
    return own < answerRules.newQuestion || !signs.questions.test(rest);
  }
  if (words[0]?.preposition === true && words.length <= answerRules.barePhrase)
    return own <= answerRules.newQuestion;
  // `What amounts?` asks about the topic before it.
  if (signs.questions.test(text) && text.split(/\s+/u).length <= answerRules.bareQuestion) return true;
  return (
    own === 0 && words.length > 0 && words.length <= answerRules.barePhrase && !signs.smallTalk.test(text)
  );
}

/**
 * `And to Norway?` or `what about Norway?` after `Do you ship to Sweden?` asks about another country: the words that the
 * new ones replace are dropped.
 */
function dropReplacedNames(before: readonly TopicWord[], words: readonly TopicWord[]): readonly TopicWord[] {
  const telling = words.filter((word) => word.telling);
  const isNamed = telling.length > 0 && telling.every((word) => CAPITAL.test(word.text));
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
  return [...new Set(answer.match(NAME) ?? [])].slice(0, answerRules.names);
}

/** A word of a question as written, with its role. */
interface TopicWord {
  readonly text: string;
  /** Whether the word names the topic. */
  readonly telling: boolean;
  readonly preposition: boolean;
  readonly article: boolean;
}

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}.@_-]*[\p{L}\p{M}\p{N}])?/gu;
const ARTICLES = uniteWords(({ grammar }) => grammar?.articles);

/** Returns the words of a question. `code` is the detected language (ISO 639-1). */
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
