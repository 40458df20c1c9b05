import { Button, Kbd, Tooltip } from '@mantine/core';
import { useMemo } from 'react';
import { toProblem } from '../../api/problem.ts';
import { Check, type IconType, Minus, Undo2, X } from '../../icons.ts';
import { type KeyAction, useKeyActions } from '../../keys/registry.ts';
import { Icon } from '../../parts/icon.tsx';
import { StatusPill } from '../../parts/pills.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { type AnswerPlace, useReview, type Verdict } from './answer-queries.ts';
import { useAnswerWords } from './answer-words.ts';

interface VerdictKey {
  readonly verdict: Verdict;
  readonly keys: string;
  readonly icon: IconType;
}

/** The judgements of a person, with their keys. */
export const verdictKeys: readonly VerdictKey[] = [
  { verdict: 'right', keys: '1', icon: Check },
  { verdict: 'wrong', keys: '2', icon: X },
  { verdict: 'not_ours', keys: '3', icon: Minus },
];

const tones = { right: 'green', wrong: 'red', not_ours: 'grey' } as const;
const signs = { right: Check, wrong: X, not_ours: Minus } as const;

export function VerdictPill({ verdict }: { readonly verdict: Verdict }) {
  const words = useAnswerWords();
  return (
    <StatusPill tone={tones[verdict]} icon={signs[verdict]}>
      {words.verdicts[verdict]}
    </StatusPill>
  );
}

interface VerdictButtonsProps {
  readonly place: AnswerPlace;
  readonly given: Verdict | null;
}

/** Judges the answer: by a button or its key; the same one again takes the judgement back. */
export function VerdictButtons({ place: { workspace, message }, given }: VerdictButtonsProps) {
  const words = useAnswerWords();
  const review = useReview(workspace);
  const { mutate } = review;
  const actions = useMemo<readonly KeyAction[]>(
    () =>
      verdictKeys.map(({ verdict, keys }) => ({
        id: `answers-${verdict}`,
        name: words.verdicts[verdict],
        keys,
        scope: 'here',
        run: () => mutate({ message, verdict }),
      })),
    [words, mutate, message],
  );
  useKeyActions(actions);
  return (
    <>
      {verdictKeys.map(({ verdict, keys, icon }) => {
        const isGiven = verdict === given;
        return (
          <Tooltip key={verdict} label={isGiven ? words.takeBack : words.verdictHint} multiline maw={240}>
            <Button
              size="xs"
              variant="default"
              className="p-filter-chip"
              aria-pressed={isGiven}
              data-on={isGiven || undefined}
              leftSection={<Icon of={isGiven ? Undo2 : icon} size={14} />}
              rightSection={<Kbd className="p-wide">{keys}</Kbd>}
              loading={review.isPending && review.variables.verdict === verdict}
              onClick={() => mutate({ message, verdict: isGiven ? null : verdict })}
            >
              {words.verdicts[verdict]}
            </Button>
          </Tooltip>
        );
      })}
      {review.isError && <FaultLine>{toProblem(review.error).message}</FaultLine>}
    </>
  );
}
