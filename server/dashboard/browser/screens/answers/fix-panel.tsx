import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay } from '../../api/queries/workspace.ts';
import { openAsk } from '../../ask/open-ask.ts';
import { VerdictBar } from '../../ask/verdict-bar.tsx';
import { FileText, MessageSquareQuote, Quote } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import type { ExplainedAnswer } from './answer-queries.ts';
import { useAnswerWords } from './answer-words.ts';

interface FixPanelProps {
  readonly workspace: string;
  readonly answer: ExplainedAnswer;
}

/** More documents than these are not behind one answer. */
const MOST_DOCUMENTS = 3;
/** A curated answer takes no longer question. */
const MAX_QUESTION = 200;

/** The ways to mend an answer: one door after the other. */
export function FixPanel({ workspace, answer }: FixPanelProps) {
  const words = useAnswerWords().fix;
  const may = useMay('knowledge:write');
  const mayStage = useMay('changes:write');
  const { question } = answer;
  const documents = documentsOf(answer);
  return (
    <section className="p-fix p-card" aria-label={words.title}>
      <h2>{words.title}</h2>
      {documents.length > 0 && (
        <Door title={words.document} text={words.documentText}>
          <Group gap="xs">
            {documents.map(({ id, title }) => (
              <Button
                key={id}
                size="xs"
                variant="default"
                leftSection={<Icon of={FileText} size={14} />}
                renderRoot={(props) => (
                  <Link
                    to="/w/$workspace/knowledge/documents/$document"
                    params={{ workspace, document: id }}
                    {...props}
                  />
                )}
              >
                {words.openDocument(title)}
              </Button>
            ))}
          </Group>
        </Door>
      )}
      {(may || mayStage) && question !== null && (
        <Door title={words.curated} text={words.curatedText}>
          <Group>
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon of={Quote} size={14} />}
              renderRoot={(props) => (
                <Link
                  to="/w/$workspace/knowledge/curated"
                  params={{ workspace }}
                  search={{ edit: 'new', question: question.slice(0, MAX_QUESTION) }}
                  {...props}
                />
              )}
            >
              {words.writeAnswer}
            </Button>
          </Group>
        </Door>
      )}
      {may && question !== null && (
        <Door title={words.test} text={words.testText}>
          <TestQuestion workspace={workspace} answer={answer} question={question} />
        </Door>
      )}
      {question !== null && (
        <Door title={words.ask} text={words.askText}>
          <Group>
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon of={MessageSquareQuote} size={14} />}
              onClick={() => openAsk(question)}
            >
              {words.askAgain}
            </Button>
          </Group>
        </Door>
      )}
    </section>
  );
}

interface DoorProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

function Door({ title, text, children }: DoorProps) {
  return (
    <div className="p-door">
      <h3>{title}</h3>
      <p>{text}</p>
      {children}
    </div>
  );
}

function TestQuestion({ workspace, answer, question }: FixPanelProps & { readonly question: string }) {
  const { trace, answer: given, passages } = answer;
  const asked = {
    query: question,
    audience: trace?.question.audience ?? [],
    language: null,
    model: null,
  };
  const { tier, sources = [] } = given;
  return (
    <VerdictBar workspace={workspace} asked={asked} given={{ tier: tier ?? 'none', sources, passages }} />
  );
}

function documentsOf({
  passages,
}: ExplainedAnswer): readonly { readonly id: string; readonly title: string }[] {
  const titles = new Map(
    passages.flatMap(({ document_id: id, title }) => (title === null ? [] : [[id, title] as const])),
  );
  return [...titles].slice(0, MOST_DOCUMENTS).map(([id, title]) => ({ id, title }));
}
