import type { MemorySpan } from './memory-span.ts';

/** The latest messages are remembered word for word: four exchanges. */
export const keptMessages = 8;
/** So many more, and they are summed up: seldom enough that it costs little. */
export const unsummarisedMessages = 8;

/** The position up to which a conversation has to be summed up now; null where that can wait. */
export function summaryDue({ messageCount, memoryFrom, summaryUntil }: MemorySpan): number | null {
  const until = Math.max(memoryFrom, messageCount - keptMessages);
  // What was before a resolution is remembered in no other way.
  return summaryUntil < memoryFrom || until - summaryUntil >= unsummarisedMessages ? until : null;
}
