import type { Answer } from '../contract/answer.ts';
import type { SearchDependencies } from '../knowledge/search.ts';
import { ANSWER_STAGES } from './answer.ts';
import { decide } from './decide.ts';
import type { Question } from './question.ts';
import { search } from './understanding/search-readings.ts';
import { understand } from './understanding/understand.ts';
import type { AnswerDraft } from './writing/answer-draft.ts';
import { type WriterDependencies, write } from './writing/write-answer.ts';
import { writeFallback } from './writing/write-fallback.ts';

interface EngineDependencies extends SearchDependencies, WriterDependencies {}

/**
 * Answers a question from the documents of a workspace, runs the requested skills, or replies that there is no answer.
 * README.md explains the five steps, `rules.ts` holds their numbers. Throws the reason of the draft's signal once it
 * aborts; the draft then concludes the answer written so far.
 */
export async function answerQuestion(
  dependencies: EngineDependencies,
  question: Question,
  draft: AnswerDraft,
): Promise<Answer> {
  const asked = await understand(dependencies, question, draft);
  const parts = await search(dependencies, { question, asked }, draft);
  const decision = decide({ question, asked, parts, hasWriter: dependencies.writer !== null });
  await write(dependencies, { question, asked, parts, decision }, draft);
  return draft.conclude();
}

/** Replies that there is no answer, without a look at the documents. */
export async function fallBack(
  dependencies: Pick<EngineDependencies, 'database'>,
  question: Question,
  draft: AnswerDraft,
): Promise<void> {
  for (const stage of ANSWER_STAGES) await draft.enter(stage);
  await writeFallback(dependencies, { question, parts: [] }, draft);
}
