import type { AskResult } from '../../../core/answering/ask.ts';
import { presentAnswer } from '../query/present-answer.ts';
import type { FinalFrame } from './frame-schema.ts';

/** What is told of an answer after its text. */
export function presentFinal(result: AskResult): FinalFrame {
  const { answer: _text, latency_ms: _latency, ...rest } = presentAnswer(result);
  return { token: '', done: true, ...rest };
}
