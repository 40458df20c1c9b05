import { findLanguage } from '../../language/find-language.ts';
import { english } from '../../language/languages/en/english.ts';
import type { SmallTalkReplies } from '../../language/small-talk.ts';
import type { SmallTalk } from './small-talk.ts';

interface Occasion {
  readonly workspaceName: string;
  /** The titles of documents that the visitor may read, to be named as topics. */
  readonly topics: readonly string[];
  /** Whether a person can be offered. */
  readonly offersPerson: boolean;
}

const NAMES_TOPICS: readonly SmallTalk['kind'][] = ['greeting', 'abilities'];
const OFFERS_PERSON: readonly SmallTalk['kind'][] = ['upset', 'bot'];

export function namesTopics({ kind }: SmallTalk): boolean {
  return NAMES_TOPICS.includes(kind);
}

/** Returns whether the reply offers a person where there is one. */
export function callsForPerson({ kind }: SmallTalk): boolean {
  return OFFERS_PERSON.includes(kind);
}

/** Returns the reply to small talk: one to three sentences. */
export function smallTalkReply({ kind, language }: SmallTalk, occasion: Occasion): string {
  const texts = findReplies(language) ?? english.smallTalk.replies;
  const sentences = [
    texts[kind].replace('{name}', () => occasion.workspaceName),
    topicsSentence(occasion.topics, language),
    occasion.offersPerson ? texts.person : '',
  ];
  return joinSentences(sentences, language);
}

/** Names what can be asked. Empty without titles, and in a language that has no such sentence. */
export function topicsSentence(titles: readonly string[], language: string): string {
  const text = findReplies(language)?.topics;
  if (text === undefined || titles.length === 0) return '';
  const separator = findLanguage(language)?.listSeparator ?? '; ';
  return text.replace('{topics}', () => titles.join(separator));
}

/** Joins the sentences that are not empty. */
export function joinSentences(sentences: readonly string[], language: string): string {
  const gap = findLanguage(language)?.spaceless === true ? '' : ' ';
  return sentences.filter((sentence) => sentence !== '').join(gap);
}

function findReplies(language: string): SmallTalkReplies | undefined {
  return findLanguage(language)?.smallTalk?.replies;
}
