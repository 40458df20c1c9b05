import type { AnswerDelta, AnswerWriter, WritingTask } from '../../../core/contract/answer-writer.ts';

/** A writer that writes two pieces and then waits until the test releases it, for tests of events in between. */
export interface HeldWriter extends AnswerWriter {
  /** The number of answers that were requested. */
  readonly tasks: WritingTask[];
  /** Resolves when the writer of the latest task was closed. */
  closed: Promise<void>;
  letGo: () => void;
  /** No answer comes of it. */
  fail: () => void;
}

export const heldPieces = ['Within ', 'three '] as const;

/** `deaf`: continues to wait also when its signal is aborted. */
export function heldWriter({ deaf = false } = {}): HeldWriter {
  const writer: HeldWriter = {
    tasks: [],
    closed: Promise.resolve(),
    letGo: () => {},
    fail: () => {},
    write(task) {
      writer.tasks.push(task);
      const closed = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      writer.closed = closed.promise;
      writer.letGo = held.resolve;
      writer.fail = () => held.reject(new Error('the writer has broken down'));
      if (!deaf) task.signal.addEventListener('abort', () => held.reject(task.signal.reason));
      return pieces(held.promise, closed.resolve);
    },
  };
  return writer;
}

async function* pieces(held: Promise<void>, closed: () => void): AsyncGenerator<AnswerDelta> {
  try {
    for (const text of heldPieces) yield { text, tokensUsed: 2 };
    await held;
    yield { text: 'days.', tokensUsed: 2 };
  } finally {
    closed();
  }
}
