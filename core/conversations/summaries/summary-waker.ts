import type { Logger } from '../../log.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { MemorySpan } from './memory-span.ts';
import { summaryDue } from './summary-due.ts';

/** Has a conversation summed up that has grown long. Never fails: what is missed the next message wakes. */
export type WakeSummary = (conversationId: string, span: MemorySpan) => void;

/** Nobody waits for the queue: an answer is not held up by it. */
export function summaryWaker(queue: Pick<JobQueue, 'add'>, log: Pick<Logger, 'warn'>): WakeSummary {
  return (conversationId, span) => {
    if (summaryDue(span) === null) return;
    const job = `${conversationId}-${span.summaryUntil}`;
    queue.add('summarise', job, { conversationId }).catch((err: unknown) => {
      log.warn({ err, conversation: conversationId }, 'a summary could not be asked for');
    });
  };
}
