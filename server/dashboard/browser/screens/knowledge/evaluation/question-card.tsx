import { Button, Text } from '@mantine/core';
import { toProblem } from '../../../api/problem.ts';
import { type TestQuestion, useDeleteQuestion } from '../../../ask/evaluation-queries.ts';
import { openAsk } from '../../../ask/open-ask.ts';
import { MessagesSquare } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { MarkdownText } from '../../../parts/markdown/markdown-text.tsx';
import type { Catalogue } from '../../../texts/english.ts';
import { kindName, useTexts } from '../../../texts/texts.tsx';
import { OutcomePill } from './outcome-pill.tsx';
import { ScriptChat } from './scripts/script-chat.tsx';
import { useScriptWords } from './scripts/script-words.ts';

interface QuestionCardProps {
  readonly workspace: string;
  readonly question: TestQuestion;
  readonly may: boolean;
  /** Opens the editor of a scripted customer. */
  readonly onEdit: () => void;
}

/** A question with its newest outcome; opened, what it should say beside what was said. */
export function QuestionCard({ workspace, question, may, onEdit }: QuestionCardProps) {
  const { texts } = useTexts();
  const words = texts.evaluation;
  const remove = useDeleteQuestion(workspace);
  const scriptWords = useScriptWords();
  const isScript = question.turns.length > 0;
  return (
    <li>
      <details className="p-card p-question">
        <summary>
          <span className="p-question-text">
            {isScript && <Icon of={MessagesSquare} size={14} color="var(--p-dim)" />} {question.question}
          </span>
          <OutcomePill outcome={question.last?.outcome ?? 'unasked'} />
        </summary>
        {isScript ? <ScriptSide question={question} /> : <QuestionSides question={question} />}
        <div className="p-question-actions">
          {!isScript && (
            <Button size="xs" variant="default" onClick={() => openAsk(question.question)}>
              {words.askNow}
            </Button>
          )}
          {may && isScript && (
            <Button size="xs" variant="default" onClick={onEdit}>
              {scriptWords.edit}
            </Button>
          )}
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

function QuestionSides({ question }: { readonly question: TestQuestion }) {
  const { texts } = useTexts();
  const words = texts.evaluation;
  const { last } = question;
  return (
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
        <div data-outcome={last.outcome}>
          <h2>{words.said}</h2>
          <MarkdownText text={last.answer} />
          <Text size="xs" c="var(--p-text-2)">
            {last.because}
          </Text>
        </div>
      )}
    </div>
  );
}

function ScriptSide({ question }: { readonly question: TestQuestion }) {
  const { texts } = useTexts();
  const words = useScriptWords();
  const facts = [
    words.size(question.turns.length),
    words.on(kindName(question.channel, texts)),
    texts.evaluation.origins[question.origin],
    ...question.audience,
  ];
  return (
    <div className="p-script-side">
      {question.last !== null && <p>{question.last.because}</p>}
      <ScriptChat script={question} />
      <Text size="xs" c="var(--p-text-2)">
        {facts.join(' · ')}
      </Text>
    </div>
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
