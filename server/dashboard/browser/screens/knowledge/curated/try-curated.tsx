import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { Check, CircleAlert, Info, Minus } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { MarkdownText } from '../../../parts/markdown/markdown-text.tsx';
import { StatusPill } from '../../../parts/pills.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { type CuratedDraft, useTryCurated } from './curated-queries.ts';
import { useCuratedWords } from './curated-words.ts';

interface TryCuratedProps {
  readonly workspace: string;
  /** Asked unless another question is typed. */
  readonly first: string;
  readonly audience: readonly string[];
  /** Null while the form is at fault. */
  readonly draft: CuratedDraft | null;
}

const tones = { answer: 'green', maybe: 'amber', none: 'grey' } as const;
const signs = { answer: Check, maybe: CircleAlert, none: Minus } as const;

/** Shows what would be answered with the answer as it is typed. */
export function TryCurated({ workspace, first, audience, draft }: TryCuratedProps) {
  const { texts } = useTexts();
  const words = useCuratedWords();
  const [typed, setTyped] = useState<string | null>(null);
  const attempt = useTryCurated(workspace);
  const query = typed ?? first;
  const { data } = attempt;
  const run = () => {
    if (draft !== null && query.trim() !== '') attempt.mutate({ query, audience, curated: draft });
  };
  return (
    <section aria-label={words.tryIt.title} className="p-try">
      <h3>{words.tryIt.title}</h3>
      <Text size="xs" c="var(--p-text-2)">
        {draft === null ? words.tryIt.first : words.tryIt.hint}
      </Text>
      <div className="p-try-ask">
        <TextInput
          aria-label={words.tryIt.question}
          value={query}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            run();
          }}
        />
        <Button variant="default" disabled={draft === null} loading={attempt.isPending} onClick={run}>
          {words.tryIt.run}
        </Button>
      </div>
      {attempt.isError && <FaultLine>{toProblem(attempt.error).message}</FaultLine>}
      {data !== undefined && (
        <div className="p-card p-try-answer" aria-live="polite">
          <div>
            <StatusPill tone={tones[data.tier]} icon={signs[data.tier]}>
              {texts.evaluation.ask.tiers[data.tier]}
            </StatusPill>
            {data.probability !== null && (
              <span className="p-numbers">{texts.evaluation.probability(data.probability)}</span>
            )}
          </div>
          <MarkdownText text={data.answer} />
          {data.decision !== null && (
            <Text size="xs" c="var(--p-text-2)">
              <Icon of={Info} size={12} /> {data.decision.because}
            </Text>
          )}
        </div>
      )}
    </section>
  );
}
