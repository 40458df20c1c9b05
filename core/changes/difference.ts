import type { Outcome } from '../evaluation/judge.ts';
import type { TrialVerdict } from '../evaluation/live-answer.ts';

export const differences = ['same', 'better', 'worse', 'differs'] as const;
export type Difference = (typeof differences)[number];

interface Compared {
  readonly outcome: Outcome;
  readonly tier: string | null;
  readonly text: string;
  readonly sourceTitle: string | null;
}

/** The rank of an outcome for a visitor: no answer is better than a wrong one. */
const ranks = { right: 3, unsure: 2, refused: 1, wrong: 0, error: -1 } as const;

/** Compares the answers before and after. A model words the same answer anew each time: of its answers the source decides. Pure. */
export function compareAnswers(live: Compared, trial: Compared, isGenerated: boolean): Difference {
  const gained = ranks[trial.outcome] - ranks[live.outcome];
  if (gained !== 0) return gained > 0 ? 'better' : 'worse';
  const isSame = isGenerated
    ? live.sourceTitle === trial.sourceTitle
    : flatten(live.text) === flatten(trial.text);
  return isSame && live.tier === trial.tier ? 'same' : 'differs';
}

/** Whether a difference stands in the way of publishing. A person who looked at it decides; unseen, only a better one does not. Pure. */
export function isAccepted(difference: Difference, verdict: TrialVerdict | null): boolean {
  if (difference === 'same') return true;
  return verdict === null ? difference === 'better' : verdict !== 'worse';
}

function flatten(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
