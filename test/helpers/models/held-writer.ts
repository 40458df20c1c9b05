import type { AnswerDelta, AnswerWriter, WritingTask } from '../../../core/contract/answer-writer.ts';

/** A writer that says two pieces and then nothing more until it is let go, for tests of what happens meanwhile. */
export interface HeldWriter extends AnswerWriter {
  /** How often it was asked for an answer. */
  readonly tasks: WritingTask[];
  /** Resolves when the writer of the latest task was closed. */
  closed: Promise<void>;
  letGo: () => void;
  /** No answer comes of it. */
  fail: () => void;
}

export const heldPieces = ['Within ', 'three '] as const;

/** `deaf`: goes on waiting also when its signal is aborted. */
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
