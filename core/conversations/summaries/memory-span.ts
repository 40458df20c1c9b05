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
export function memorySpanOf([
  messageCount = 0,
  memoryFrom = 0,
  summaryUntil = 0,
]: readonly number[]): MemorySpan {
  return { messageCount, memoryFrom, summaryUntil };
}
