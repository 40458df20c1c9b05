import { openModels } from '../../../core/answering/open-models.ts';
import type { Clock } from '../../../core/base/clock.ts';
import { readConfig } from '../../../core/config/config.ts';
import type { AnswerDelta, AnswerWriter, WritingTask } from '../../../core/contract/answer-writer.ts';
import { shopPassages } from './providers/fake-provider.ts';

interface TestWriterOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** How long a provider may be silent. */
  readonly patienceMs?: number;
  /** The patience for the last model; `patienceMs` if absent. */
  readonly lastPatienceMs?: number;
}

/** A writer, and what it logs. */
export async function openTestWriter({
  environment,
  clock,
  patienceMs = 60_000,
  lastPatienceMs = patienceMs,
}: TestWriterOptions) {
  const logged: string[] = [];
  const keep = (...line: unknown[]) => void logged.push(JSON.stringify(line));
  const patience = { firstMs: patienceMs, nextMs: patienceMs };
  const { writer } = await openModels({
    config: readConfig(environment),
    clock: clock ?? { now: () => new Date() },
    log: { warn: keep, error: keep },
    patience: {
      streamed: patience,
      whole: patience,
      thinking: { firstMs: 60_000, nextMs: 60_000 },
      last: { firstMs: lastPatienceMs, nextMs: lastPatienceMs },
    },
  });
  if (writer === null) throw new TypeError('no model is configured');
  return { writer, logged };
}

export function shopTask(fields: Partial<WritingTask> = {}): WritingTask {
  return {
    question: 'How long does delivery take?',
    earlierTurns: [],
    summary: null,
    passages: shopPassages,
    strictness: 'strict',
    temperature: null,
    model: null,
    streamed: true,
    signal: new AbortController().signal,
    ...fields,
  };
}

/** All that a writer says, together. */
export async function writtenBy(writer: AnswerWriter, task: WritingTask) {
  const deltas: AnswerDelta[] = [];
  for await (const delta of writer.write(task)) deltas.push(delta);
  return {
    text: deltas.map((delta) => delta.text).join(''),
    pieces: deltas.filter((delta) => delta.text !== '').length,
    chunkIds: deltas.flatMap((delta) => delta.chunkIds ?? []),
    tokensUsed: deltas.reduce((sum, delta) => sum + (delta.tokensUsed ?? 0), 0),
    wantsAction: deltas.some((delta) => delta.wantsAction === true),
    isTrimmed: deltas.some((delta) => delta.trimmed === true),
    answeredParts: deltas.at(-1)?.answeredParts ?? null,
    isGrounded: deltas.every((delta) => delta.ungrounded !== true),
  };
}
