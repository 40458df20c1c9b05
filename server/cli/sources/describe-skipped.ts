import type { Skipped } from './walk-folder.ts';

const namedPerReason = 5;

/** A line a reason, with the first few that it is the reason for. */
export function describeSkipped(skipped: readonly Skipped[]): string[] {
  const byReason = Map.groupBy(skipped, ({ reason }) => reason);
  return [...byReason].map(([reason, those]) => {
    const named = those.slice(0, namedPerReason).map(({ path }) => path);
    const others = those.length - named.length;
    return `Skipped ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}: ${reason}.`;
  });
}
