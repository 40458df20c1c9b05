import type { Kysely } from 'kysely';
import type { AnswerWriter } from '../contract/answer-writer.ts';
import { ANSWER_THRESHOLD, confidence, RELATED_THRESHOLD } from '../knowledge/confidence.ts';
import type { Embedder } from '../knowledge/embedding/embedder.ts';
import { searchKnowledge } from '../knowledge/search.ts';
import type { Tables } from '../storage/tables.ts';
import type { Answer } from './answer.ts';
import type { AnswerDraft } from './answer-draft.ts';
import { fallbackMessage } from './fallback-message.ts';
import type { Complete } from './models/complete.ts';
import type { Question } from './question.ts';
import { quotePassages } from './quote-passages.ts';
import { sourceOf, type UsablePassage } from './source-of.ts';
import { bestScore } from './understanding/best-score.ts';
import { questionReadings } from './understanding/question-readings.ts';
import { rewriteQuestion } from './understanding/rewrite-question.ts';
import { searchReadings } from './understanding/search-readings.ts';
import { writeFreely } from './write-freely.ts';

export interface EngineDependencies {
  readonly database: Kysely<Tables>;
  readonly embedder: Embedder;
  /** Null: follow-ups are understood without a model. */
  readonly complete: Complete | null;
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
  const readings = await questionReadings(question, () =>
    rewriteQuestion(dependencies.complete, question, draft),
  );
  await draft.enter('searching');
  const found = await searchReadings(readings, (text) =>
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

async function fallBack(
  question: Question,
  usable: readonly UsablePassage[],
  draft: AnswerDraft,
): Promise<void> {
  const nearMisses = usable.filter((passage) => passage.score >= RELATED_THRESHOLD);
  draft.restOn({ confidence: 'low', sources: nearMisses.slice(0, nearMissesShown).map(sourceOf) });
  await draft.say(question.fallbackMessage ?? fallbackMessage(question.text));
}
