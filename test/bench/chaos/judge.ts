import type { ChatRecord } from './chat-record.ts';

export interface Verdict {
  readonly acknowledged: number;
  readonly turns: number;
  readonly unanswered: number;
  readonly doubled: number;
  readonly outOfOrder: number;
  /** Answers more than turns. */
  readonly answeredTwice: number;
  readonly neverAnswered: number;
  /** Turns whose answer is not in their conversation. */
  readonly answersNotKept: number;
  readonly splitChats: number;
}

/** Pure. */
export function judge(records: readonly ChatRecord[]): Verdict {
  const sum = (count: (record: ChatRecord) => number) =>
    records.reduce((total, record) => total + count(record), 0);
  return {
    acknowledged: sum(({ acknowledged }) => acknowledged.length),
    turns: sum(({ turns }) => turns.length),
    unanswered: sum(({ acknowledged, turns }) => {
      const stored = new Set(linesOf(turns));
      return acknowledged.filter((text) => !stored.has(text)).length;
    }),
    doubled: sum(({ turns }) => linesOf(turns).length - new Set(linesOf(turns)).size),
    outOfOrder: records.filter(({ acknowledged, turns }) => {
      const stored = new Set(linesOf(turns));
      const wanted = acknowledged.filter((text) => stored.has(text));
      return [...stored].join() !== wanted.join();
    }).length,
    answeredTwice: sum(({ answers, turns }) => Math.max(0, answers - turns.length)),
    neverAnswered: sum(({ answers, turns }) => Math.max(0, turns.length - answers)),
    answersNotKept: sum(({ turns, kept }) => Math.max(0, turns.length - kept)),
    splitChats: records.filter(({ conversations }) => conversations !== 1).length,
  };
}

function linesOf(turns: readonly string[]): readonly string[] {
  return turns.flatMap((turn) => turn.split('\n'));
}
