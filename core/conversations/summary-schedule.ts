import type { Logger } from '../base/log.ts';
import type { JobQueue } from '../queue/queue.ts';

/** The extent of a conversation's memory, in positions of its messages. */
export interface MemorySpan {
  /** The position of the next message. */
  readonly messageCount: number;
  /** Messages before this position are remembered only through the summary. */
  readonly memoryFrom: number;
  /** Messages before this position are covered by the summary. */
  readonly summaryUntil: number;
}

/** Parses the result of the SQL function `memory_span`. */
export function parseMemorySpan([
  messageCount = 0,
  memoryFrom = 0,
  summaryUntil = 0,
]: readonly number[]): MemorySpan {
  return { messageCount, memoryFrom, summaryUntil };
}

/** The number of latest messages that are remembered verbatim: four exchanges. */
export const messagesInMemory = 8;
/**
 * The number of further messages that triggers a summary. Larger values make summaries, which cost model tokens, rarer.
 */
export const maxUnsummarisedMessages = 8;

/** Returns the position up to which a conversation must be summarised now; null if no summary is due. */
export function isSummaryDue({ messageCount, memoryFrom, summaryUntil }: MemorySpan): number | null {
  const until = Math.max(memoryFrom, messageCount - messagesInMemory);
  // The summary is the only memory of messages before a resolution.
  return summaryUntil < memoryFrom || until - summaryUntil >= maxUnsummarisedMessages ? until : null;
}

/** Queues a summary if the conversation has grown long enough. Never throws; the next message retries after a failure. */
export type ScheduleSummary = (conversationId: string, span: MemorySpan) => void;

/** Does not wait for the queue, so that an answer is not delayed. */
export function createSummaryScheduler(
  queue: Pick<JobQueue, 'add'>,
  log: Pick<Logger, 'warn'>,
): ScheduleSummary {
  return (conversationId, span) => {
    if (isSummaryDue(span) === null) return;
    const job = `${conversationId}-${span.summaryUntil}`;
    queue.add('summarise', job, { conversationId }).catch((err: unknown) => {
      log.warn({ err, conversation: conversationId }, 'queueing a summary failed');
    });
  };
}
