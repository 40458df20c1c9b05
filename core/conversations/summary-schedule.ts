import type { Logger } from '../log.ts';
import type { JobQueue } from '../queue/queue.ts';

/** Where the memory of a conversation stands, in positions of its messages. */
export interface MemorySpan {
  /** The position that the next message gets. */
  readonly messageCount: number;
  /** What is before is remembered as a summary only. */
  readonly memoryFrom: number;
  /** What is before is in the summary. */
  readonly summaryUntil: number;
}

/** From what the database's `memory_span` returns. */
export function parseMemorySpan([
  messageCount = 0,
  memoryFrom = 0,
  summaryUntil = 0,
]: readonly number[]): MemorySpan {
  return { messageCount, memoryFrom, summaryUntil };
}

/** The latest messages are remembered word for word: four exchanges. */
export const messagesInMemory = 8;
/** So many more, and they are summed up: seldom enough that it costs little. */
export const maxUnsummarisedMessages = 8;

/** The position up to which a conversation has to be summed up now; null where that can wait. */
export function isSummaryDue({ messageCount, memoryFrom, summaryUntil }: MemorySpan): number | null {
  const until = Math.max(memoryFrom, messageCount - messagesInMemory);
  // What was before a resolution is remembered in no other way.
  return summaryUntil < memoryFrom || until - summaryUntil >= maxUnsummarisedMessages ? until : null;
}

/** Has a conversation summed up that has grown long. Never fails: what is missed the next message wakes. */
export type ScheduleSummary = (conversationId: string, span: MemorySpan) => void;

/** Nobody waits for the queue: an answer is not held up by it. */
export function createSummaryScheduler(
  queue: Pick<JobQueue, 'add'>,
  log: Pick<Logger, 'warn'>,
): ScheduleSummary {
  return (conversationId, span) => {
    if (isSummaryDue(span) === null) return;
    const job = `${conversationId}-${span.summaryUntil}`;
    queue.add('summarise', job, { conversationId }).catch((err: unknown) => {
      log.warn({ err, conversation: conversationId }, 'a summary could not be asked for');
    });
  };
}
