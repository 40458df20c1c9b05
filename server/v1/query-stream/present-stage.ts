import type { Stage } from '../../../core/answering/answer-listener.ts';
import type { StatusFrame } from './frame-schema.ts';

const texts: Readonly<Record<Stage, string>> = {
  understanding: 'Understanding the question',
  searching: 'Searching the documents',
  reading: 'Reading what was found',
  writing: 'Writing the answer',
};

export function presentStage(stage: Stage): StatusFrame {
  return { event: 'status', stage, text: texts[stage] };
}
