import type { Outcome } from '../../../ask/evaluation-queries.ts';
import { Check, CircleAlert, CircleDashed, Minus, TriangleAlert, X } from '../../../icons.ts';
import { StatusPill } from '../../../parts/pills.tsx';
import { useTexts } from '../../../texts/texts.tsx';

const looks = {
  right: { tone: 'green', icon: Check },
  unsure: { tone: 'amber', icon: CircleAlert },
  wrong: { tone: 'red', icon: X },
  refused: { tone: 'red', icon: Minus },
  error: { tone: 'red', icon: TriangleAlert },
  unasked: { tone: 'grey', icon: CircleDashed },
} as const satisfies Record<Outcome | 'unasked', object>;

/** How an answer was judged. */
export function OutcomePill({ outcome }: { readonly outcome: Outcome | 'unasked' }) {
  const { texts } = useTexts();
  return (
    <StatusPill tone={looks[outcome].tone} icon={looks[outcome].icon}>
      {texts.evaluation.outcomes[outcome]}
    </StatusPill>
  );
}
