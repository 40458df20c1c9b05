import { Button, Group, Text, Textarea } from '@mantine/core';
import { useMemo, useState } from 'react';
import { toProblem } from '../api/problem.ts';
import { useMay } from '../api/queries/workspace.ts';
import { Check, X } from '../icons.ts';
import { Icon } from '../parts/icon.tsx';
import { FaultLine } from '../parts/states/fault-line.tsx';
import { useTexts } from '../texts/texts.tsx';
import { type Asked, type NewTestQuestion, type Rehearsal, useStoreQuestions } from './evaluation-queries.ts';

interface VerdictBarProps {
  readonly workspace: string;
  readonly asked: Asked;
  readonly given: JudgedAnswer;
}

/** The part of an answer that a test question takes. */
export interface JudgedAnswer extends Pick<Rehearsal, 'tier' | 'sources'> {
  readonly passages: readonly {
    readonly use: string | null;
    readonly document_id: string;
    readonly headings: readonly string[];
  }[];
}

type Verdict = 'right' | 'nothing' | 'said';

/** Right, wrong, or what should have been said: each makes the question a test question. */
export function VerdictBar({ workspace, asked, given }: VerdictBarProps) {
  const { texts } = useTexts();
  const words = texts.evaluation.verdict;
  const may = useMay('knowledge:write');
  const [isWrong, setWrong] = useState(false);
  const [said, setSaid] = useState('');
  const [stored, setStored] = useState<Verdict | null>(null);
  const store = useStoreQuestions(workspace);
  const right = useMemo(() => expectRight(asked, given), [asked, given]);
  if (!may) return null;
  const put = (verdict: Verdict, question: NewTestQuestion) =>
    store.mutate([question], { onSuccess: () => setStored(verdict) });
  const base = { question: asked.query, audience: [...asked.audience], language: asked.language };
  if (stored !== null)
    return (
      <Text size="xs" c="var(--p-text-2)" role="status">
        {words.stored[stored]}
      </Text>
    );
  return (
    <div className="p-verdict">
      <Group gap="sm">
        <Button
          leftSection={<Icon of={Check} />}
          loading={store.isPending && !isWrong}
          onClick={() => put('right', right)}
        >
          {words.right}
        </Button>
        <Button
          variant="default"
          leftSection={<Icon of={X} />}
          aria-expanded={isWrong}
          onClick={() => setWrong((before) => !before)}
        >
          {words.wrong}
        </Button>
      </Group>
      <Text size="xs" c="var(--p-text-2)">
        {words.hint}
      </Text>
      {isWrong && (
        <div className="p-verdict-said">
          <Textarea
            label={words.shouldHaveSaid}
            description={words.shouldHaveSaidHint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={2_000}
            value={said}
            onChange={({ currentTarget }) => setSaid(currentTarget.value)}
            data-autofocus
          />
          <Group gap="sm">
            <Button
              disabled={said.trim() === ''}
              loading={store.isPending}
              onClick={() => put('said', { ...base, said: said.trim(), origin: 'wrong' })}
            >
              {words.save}
            </Button>
            {given.tier !== 'none' && (
              <Button
                variant="default"
                loading={store.isPending}
                onClick={() => put('nothing', { ...base, expects: 'nothing', origin: 'wrong' })}
              >
                {words.nothing}
              </Button>
            )}
          </Group>
        </div>
      )}
      {store.isError && <FaultLine>{toProblem(store.error).message}</FaultLine>}
    </div>
  );
}

/** Returns a test question that expects the section of this answer, or nothing if it gave none. */
function expectRight(
  { query, audience, language }: Asked,
  { tier, passages, sources }: JudgedAnswer,
): NewTestQuestion {
  const base = { question: query, audience: [...audience], language, origin: 'right' as const };
  const used = passages.find(({ use }) => use === 'used');
  const document_id = used?.document_id ?? sources[0]?.document_id ?? null;
  if (tier === 'none' || document_id === null) return { ...base, expects: 'nothing' };
  return { ...base, document_id, section: used?.headings.at(-1) ?? null };
}
