import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { useMay, useWorkspace } from '../../../api/queries/workspace.ts';
import {
  type Outcome,
  questionsQuery,
  runsQuery,
  type TestRun,
  useCancelRun,
  useStartRun,
} from '../../../ask/evaluation-queries.ts';
import { openAsk } from '../../../ask/open-ask.ts';
import { CheckCheck, Play } from '../../../icons.ts';
import { type KeyAction, useKeyActions } from '../../../keys/registry.ts';
import { Icon } from '../../../parts/icon.tsx';
import { MoreButton } from '../../../parts/more-button.tsx';
import { Page } from '../../../parts/page.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { KnowledgeTabs } from '../knowledge-tabs.tsx';
import { QuestionCard } from './question-card.tsx';
import { Runs } from './runs.tsx';
import { useProposalWords } from './sampled/proposal-words.ts';
import { Proposals } from './sampled/proposals.tsx';
import { UploadSet } from './upload-set.tsx';
import '../knowledge.css';
import './evaluation.css';

const OUTCOMES = ['wrong', 'refused', 'unsure', 'right', 'error'] as const satisfies readonly Outcome[];

/** The test questions of a workspace, with how today's documents answer them. */
export function Evaluation() {
  const workspace = useWorkspace();
  return workspace === null ? null : <EvaluationOf workspace={workspace.id} key={workspace.id} />;
}

function EvaluationOf({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  const words = texts.evaluation;
  const proposalWords = useProposalWords();
  const [isSampling, setSampling] = useState(false);
  const may = useMay('knowledge:write');
  const search: { readonly outcome?: string } = useSearch({ strict: false });
  const outcome = OUTCOMES.find((each) => each === search.outcome) ?? null;
  const runs = useQuery(runsQuery(workspace));
  const [newest] = runs.data?.runs ?? [];
  const list = useInfiniteQuery(questionsQuery(workspace, outcome));
  const questions = list.data?.pages.flatMap((page) => page.questions) ?? [];
  const total = list.data?.pages[0]?.total ?? 0;
  return (
    <Page
      title={texts.frame.areas.knowledge}
      action={
        may && (
          <RunActions
            {...{ workspace, newest, total }}
            {...(!isSampling && { onSample: () => setSampling(true) })}
          />
        )
      }
      below={<KnowledgeTabs workspace={workspace} current="evaluation" count={total} />}
    >
      {isSampling && may && <Proposals workspace={workspace} onClose={() => setSampling(false)} />}
      {list.isPending && <Skeletons rows={4} height={64} />}
      {list.isError && (
        <ErrorState error={list.error} title={words.notLoaded} onRetry={() => void list.refetch()} />
      )}
      {list.isSuccess && total === 0 && !isSampling && (
        <EmptyState
          icon={CheckCheck}
          title={words.empty.title}
          text={words.empty.text}
          action={
            <>
              <Button onClick={() => openAsk()}>{words.empty.ask}</Button>
              {may && (
                <Button variant="default" onClick={() => setSampling(true)}>
                  {proposalWords.open}
                </Button>
              )}
            </>
          }
        />
      )}
      {total > 0 && (
        <div className="p-evaluation">
          <section aria-label={words.questions}>
            <nav className="p-conflict-statuses" aria-label={words.outcome}>
              {[null, ...OUTCOMES].map((each) => (
                <Link
                  key={each ?? 'all'}
                  to="."
                  search={{ outcome: each ?? '' }}
                  {...(each === outcome && { 'aria-current': 'page' as const })}
                >
                  {each === null ? words.all : words.outcomes[each]}
                </Link>
              ))}
            </nav>
            {list.isSuccess && questions.length === 0 && (
              <Text size="sm" c="var(--p-text-2)">
                {words.noMatch}
              </Text>
            )}
            <ul className="p-questions">
              {questions.map((question) => (
                <QuestionCard key={question.id} workspace={workspace} question={question} may={may} />
              ))}
            </ul>
            <MoreButton list={list}>{texts.knowledge.more}</MoreButton>
          </section>
          <Runs runs={runs.data?.runs ?? []} />
        </div>
      )}
    </Page>
  );
}

interface RunActionsProps {
  readonly workspace: string;
  readonly newest: TestRun | undefined;
  readonly total: number;
  /** Absent: the proposals are open. */
  readonly onSample?: () => void;
}

function RunActions({ workspace, newest, total, onSample }: RunActionsProps) {
  const { texts } = useTexts();
  const words = texts.evaluation;
  const proposals = useProposalWords();
  const start = useStartRun(workspace);
  const cancel = useCancelRun(workspace);
  const { mutate } = start;
  const going = newest?.state === 'running' ? newest : undefined;
  const isPossible = total > 0 && going === undefined;
  const actions = useMemo<readonly KeyAction[]>(
    () =>
      isPossible ? [{ id: 'test-run', name: words.run, keys: 'r', scope: 'here', run: () => mutate() }] : [],
    [isPossible, words, mutate],
  );
  useKeyActions(actions);
  return (
    <Group gap="sm">
      {start.isError && <FaultLine>{toProblem(start.error).message}</FaultLine>}
      {onSample !== undefined && total > 0 && (
        <Button variant="default" onClick={onSample}>
          {proposals.open}
        </Button>
      )}
      <UploadSet workspace={workspace} />
      {going === undefined ? (
        <Button
          leftSection={<Icon of={Play} />}
          disabled={total === 0}
          loading={start.isPending}
          onClick={() => mutate()}
        >
          {words.run}
        </Button>
      ) : (
        <>
          <Text size="sm" role="status" className="p-numbers">
            {words.running(going.right + going.unsure + going.wrong + going.refused, going.questions)}
          </Text>
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(going.id)}>
            {words.cancel}
          </Button>
        </>
      )}
    </Group>
  );
}
