import {
  type Rehearsal,
  type RehearsalDependencies,
  type RehearsedQuestion,
  rehearse,
} from '../answering/rehearsal.ts';
import { AppError } from '../base/errors.ts';

/** The limit of one answer, in milliseconds. */
const ANSWER_MS = 60_000;

/** Answers a question on trial. Returns null if the answer failed or took too long. */
export async function rehearseInTime(
  dependencies: RehearsalDependencies,
  question: RehearsedQuestion,
): Promise<Rehearsal | null> {
  const deadline = AbortSignal.any([question.signal, AbortSignal.timeout(ANSWER_MS)]);
  try {
    return await rehearse(dependencies, { ...question, signal: deadline });
  } catch (error) {
    if (error instanceof AppError || deadline.aborted) return null;
    throw error;
  }
}
