import { createHash } from 'node:crypto';
import { fold } from '../../language/words.ts';

/** `unknown`: the question is not answered; `person`: a person is called for it. */
export const curatedActions = ['answer', 'unknown', 'person'] as const;
export type CuratedAction = (typeof curatedActions)[number];

/** Limits of one answer. More phrasings would leave the embedding model no room for the text. */
export const curatedLimits = { phrasings: 10, questionCharacters: 200, answerCharacters: 8_000 } as const;

/** A question with the answer that people wrote for it. */
export interface CuratedContent {
  readonly question: string;
  /** Other wordings of the question. */
  readonly phrasings: readonly string[];
  readonly action: CuratedAction;
  /** Markdown; null unless the action is `answer`. */
  readonly answer: string | null;
}

/** The media type of the stored text of a curated answer. */
export const CURATED_TYPE = 'application/vnd.parley.curated+json';

/** Whether a document is the text of a curated answer: it has an id of its own kind, so a search need not look it up. */
export function isCurated(documentId: string): boolean {
  return documentId.startsWith('cur_');
}

/** Returns a question in the form in which equal questions are equal: folded letters and digits, with single spaces. */
export function toQuestionKey(question: string): string {
  return fold(question)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The keys of the question and its phrasings, each once. */
export function toQuestionKeys({ question, phrasings }: CuratedContent): string[] {
  return [...new Set([question, ...phrasings].map(toQuestionKey))].filter((key) => key !== '');
}

/** Identifies an answer in its workspace: one for each question and audience. */
export function toSourceKey(question: string, audience: readonly string[]): string {
  const text = JSON.stringify([toQuestionKey(question), [...audience].sort()]);
  return `curated ${createHash('sha256').update(text).digest('hex')}`;
}

/** The text to index. Without an answer, the question stands for it, so that the passage is found and never quoted. */
export function toIndexedContent({ question, phrasings, action, answer }: CuratedContent): Uint8Array {
  const text = action === 'answer' ? answer : null;
  return new TextEncoder().encode(JSON.stringify({ phrasings, question, answer: text }));
}
