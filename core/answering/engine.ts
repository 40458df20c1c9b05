import type { Kysely } from 'kysely';
import type { AnswerWriter } from '../contract/answer-writer.ts';
import { ANSWER_THRESHOLD, confidence, RELATED_THRESHOLD } from '../knowledge/confidence.ts';
import type { Embedder } from '../knowledge/embedding/embedder.ts';
import { type SearchResult, searchKnowledge } from '../knowledge/search.ts';
import type { Tables } from '../storage/tables.ts';
import type { Answer } from './answer.ts';
import type { AnswerDraft } from './answer-draft.ts';
import { fallbackMessage } from './fallback-message.ts';
import type { Question } from './question.ts';
import { quotePassages } from './quote-passages.ts';
import { sourceOf, type UsablePassage } from './source-of.ts';
import { type StandaloneQuestion, standaloneQuestion } from './standalone-question.ts';
import { writeFreely } from './write-freely.ts';

export interface EngineDependencies {
  readonly database: Kysely<Tables>;
  readonly embedder: Embedder;
  /** Null: the answer is quoted from the passages. */
  readonly writer: AnswerWriter | null;
}

const nearMissesShown = 3;

/**
 * Answers a question from the documents of a workspace, or says that they hold no answer. Throws the reason of the
 * draft's signal once that is aborted: what there is of the answer is in the draft then.
 */
export async function answerQuestion(
  dependencies: EngineDependencies,
  question: Question,
  draft: AnswerDraft,
): Promise<Answer> {
  await draft.enter('understanding');
  const asked = standaloneQuestion(question.text, question.earlierTurns);
  await draft.enter('searching');
  const found = await search(asked, question.text, (text) =>
    draft.wait(searchKnowledge(dependencies, { ...question, question: text, signal: draft.signal })),
  );
  await draft.enter('reading');
  const usable = found.ranked.slice(0, question.topK);
  const score = bestScore(found);
  draft.restOn({ score, confidence: confidence(score), skillsFired: ['knowledge_search'] });
  await draft.enter('writing');
  const isFound = score >= ANSWER_THRESHOLD;
  const { writer } = dependencies;
  if (writer !== null && (isFound || question.strictness === 'fallback')) {
    await write(writer, { question, usable }, draft);
  } else if (isFound) await quotePassages(found, usable, draft);
  if (draft.isEmpty) await fallBack(question, usable, draft);
  return draft.answer();
}

/** What a writer says that does not rest on the passages is marked so, or, where that is not allowed, taken back. */
async function write(
  writer: AnswerWriter,
  material: { readonly question: Question; readonly usable: readonly UsablePassage[] },
  draft: AnswerDraft,
): Promise<void> {
  const { question, usable } = material;
  const isGrounded = await writeFreely(writer, material, draft);
  if (isGrounded || draft.isEmpty) return;
  if (question.strictness === 'fallback') {
    draft.restOn({ confidence: 'low', sources: [] });
    return;
  }
  await draft.say('\n\n');
  await fallBack(question, usable, draft);
}

/** A follow-up is searched with what it refers to; where that finds no answer it may have been a new topic after all. */
async function search(
  { searchText, followUp }: StandaloneQuestion,
  question: string,
  find: (text: string) => Promise<SearchResult>,
): Promise<SearchResult> {
  const found = await find(searchText);
  if (!followUp || bestScore(found) >= ANSWER_THRESHOLD) return found;
  const alone = await find(question);
  return bestScore(alone) > bestScore(found) ? alone : found;
}

function bestScore({ ranked }: SearchResult): number {
  return ranked[0]?.score ?? 0;
}

async function fallBack(
  question: Question,
  usable: readonly UsablePassage[],
  draft: AnswerDraft,
): Promise<void> {
  const nearMisses = usable.filter((passage) => passage.score >= RELATED_THRESHOLD);
  draft.restOn({ confidence: 'low', sources: nearMisses.slice(0, nearMissesShown).map(sourceOf) });
  await draft.say(question.fallbackMessage ?? fallbackMessage(question.text));
}
