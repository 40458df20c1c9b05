import { Button, Text } from '@mantine/core';
import { toProblem } from '../../../api/problem.ts';
import { type Outcome, type TestQuestion, useDeleteQuestion } from '../../../ask/evaluation-queries.ts';
import { openAsk } from '../../../ask/open-ask.ts';
import { Check, CircleAlert, CircleDashed, Minus, TriangleAlert, X } from '../../../icons.ts';
import { MarkdownText } from '../../../parts/markdown/markdown-text.tsx';
import { StatusPill } from '../../../parts/pills.tsx';
import type { Catalogue } from '../../../texts/english.ts';
import { useTexts } from '../../../texts/texts.tsx';

interface QuestionCardProps {
  readonly workspace: string;
  readonly question: TestQuestion;
  readonly may: boolean;
}

const looks = {
  right: { tone: 'green', icon: Check },
  unsure: { tone: 'amber', icon: CircleAlert },
  wrong: { tone: 'red', icon: X },
  refused: { tone: 'red', icon: Minus },
  error: { tone: 'red', icon: TriangleAlert },
  unasked: { tone: 'grey', icon: CircleDashed },
} as const satisfies Record<Outcome | 'unasked', object>;

/** A question with its newest outcome; opened, what it should say beside what was said. */
export function QuestionCard({ workspace, question, may }: QuestionCardProps) {
  const { texts } = useTexts();
  const words = texts.evaluation;
  const remove = useDeleteQuestion(workspace);
  const { last } = question;
  const outcome = last?.outcome ?? 'unasked';
  return (
    <li>
      <details className="p-card p-question">
        <summary>
          <span className="p-question-text">{question.question}</span>
          <StatusPill tone={looks[outcome].tone} icon={looks[outcome].icon}>
            {words.outcomes[outcome]}
          </StatusPill>
        </summary>
        <div className="p-question-sides">
          <div>
            <h2>{words.shouldSay}</h2>
            <p>{expectation(question, words)}</p>
            <Text size="xs" c="var(--p-text-2)">
              {words.origins[question.origin]}
              {question.audience.length > 0 && ` · ${question.audience.join(', ')}`}
            </Text>
          </div>
          {last !== null && (
            <div data-outcome={outcome}>
              <h2>{words.said}</h2>
              <MarkdownText text={last.answer} />
              <Text size="xs" c="var(--p-text-2)">
                {last.because}
              </Text>
            </div>
          )}
        </div>
        <div className="p-question-actions">
          <Button size="xs" variant="default" onClick={() => openAsk(question.question)}>
            {words.askNow}
          </Button>
          {may && (
            <Button
              size="xs"
              variant="subtle"
              color="red"
              loading={remove.isPending}
              onClick={() => remove.mutate(question.id)}
            >
              {words.delete}
            </Button>
          )}
          {remove.isError && (
            <Text size="xs" c="var(--p-red)" role="alert">
              {toProblem(remove.error).message}
            </Text>
          )}
        </div>
      </details>
    </li>
  );
}

function expectation(
  { expects, accepted, said, section }: TestQuestion,
  words: Catalogue['evaluation'],
): string {
  if (expects === 'nothing') return words.expectsNothing;
  if (accepted.length > 0) return accepted.join(' / ');
  if (section !== null) return words.expectsSection(section);
  return said ?? words.expectsDocument;
}
