import type { AnswerWriter } from '../contract/answer-writer.ts';
import { confidence } from '../knowledge/confidence.ts';
import type { SearchDependencies } from '../knowledge/search.ts';
import { type Acted, runSkills } from './acting/act-for-visitor.ts';
import { skillCalledFor } from './acting/skill-called-for.ts';
import type { Answer } from './answer.ts';
import type { AnswerDraft } from './answer-draft.ts';
import { bestScore } from './best-score.ts';
import { findPassages } from './find-passages.ts';
import type { Complete } from './models/complete.ts';
import type { Question } from './question.ts';
import { type QuestionReadings, questionReadings } from './understanding/question-readings.ts';
import { rewriteQuestion } from './understanding/rewrite-question.ts';
import { writeAnswer } from './write-answer.ts';

export interface EngineDependencies extends SearchDependencies {
  /** Null: the answer is quoted from the passages. */
  readonly writer: AnswerWriter | null;
  /** Null: skills run by the visitor's words alone. */
  readonly complete: Complete | null;
}

/**
 * Answers a question from the documents of a workspace, does what the visitor asks to have done, or says that there is
 * no answer. Throws the reason of the draft's signal once that is aborted: what there is of the answer is in the draft
 * then.
 */
export async function answerQuestion(
  dependencies: EngineDependencies,
  question: Question,
  draft: AnswerDraft,
): Promise<Answer> {
  await draft.enter('understanding');
  const acted = await actOnWords(question, draft);
  if (acted.says !== '') return tell(acted.says, draft);
  const readings = question.searches ? await read(dependencies, question, draft) : null;
  await draft.enter('searching');
  const found = readings && (await findPassages(dependencies, { question, readings }, draft));
  await draft.enter('reading');
  const score = bestScore(found);
  draft.restOn({ score, confidence: confidence(score) });
  await draft.enter('writing');
  await writeAnswer(dependencies, { question, found, findings: acted.findings }, draft);
  return draft.answer();
}

function read(
  { complete }: EngineDependencies,
  question: Question,
  draft: AnswerDraft,
): Promise<QuestionReadings> {
  const { text, overheard, earlierTurns } = question;
  const said = overheard.map((one) => ({ question: one.text, answer: null }));
  const asked = { text, earlierTurns: [...said, ...earlierTurns] };
  return questionReadings(asked, () => rewriteQuestion(complete, question, draft));
}

function actOnWords({ skills }: Question, draft: AnswerDraft): Promise<Acted> {
  const call = skillCalledFor(skills, draft.signal);
  return runSkills(skills, call === null ? [] : [call], draft);
}

/** Who listens is used to the stages, whether or not there is something to do in them. */
async function tell(text: string, draft: AnswerDraft): Promise<Answer> {
  await draft.enter('searching');
  await draft.enter('reading');
  draft.restOn({ confidence: 'high' });
  await draft.enter('writing');
  await draft.say(text);
  return draft.answer();
}
