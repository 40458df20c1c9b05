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
  type TestKind,
  type TestQuestion,
  type TestRun,
  useCancelRun,
  useFreshQuestions,
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
import { ScriptEditor } from './scripts/script-editor.tsx';
import { useScriptWords } from './scripts/script-words.ts';
import { UploadSet } from './upload-set.tsx';
import '../knowledge.css';
import './evaluation.css';

const OUTCOMES = ['wrong', 'refused', 'unsure', 'right', 'error'] as const satisfies readonly Outcome[];
const KINDS = ['question', 'script'] as const satisfies readonly TestKind[];

/** The panel that is open above the list: the proposals, or the editor of a script (null: of a new one). */
type Panel = { readonly kind: 'sample' } | { readonly kind: 'script'; readonly script: TestQuestion | null };

/** The test questions of a workspace, with how today's documents answer them. */
export function Evaluation() {
  const workspace = useWorkspace();
  return workspace === null ? null : <EvaluationOf workspace={workspace.id} key={workspace.id} />;
}

function EvaluationOf({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  const words = texts.evaluation;
  const scriptWords = useScriptWords();
  const [panel, setPanel] = useState<Panel | null>(null);
  const may = useMay('knowledge:write');
  const search: { readonly outcome?: string; readonly kind?: string } = useSearch({ strict: false });
  const outcome = OUTCOMES.find((each) => each === search.outcome) ?? null;
  const kind = KINDS.find((each) => each === search.kind) ?? null;
  const runs = useQuery(runsQuery(workspace));
  const [newest] = runs.data?.runs ?? [];
  useFreshQuestions(workspace, newest);
  const list = useInfiniteQuery(questionsQuery(workspace, { outcome, kind }));
  const questions = list.data?.pages.flatMap((page) => page.questions) ?? [];
  const close = () => setPanel(null);
  const total = list.data?.pages[0]?.total ?? 0;
  return (
    <Page
      title={texts.frame.areas.knowledge}
      action={may && <RunActions workspace={workspace} newest={newest} total={total} />}
      below={<KnowledgeTabs workspace={workspace} current="evaluation" count={total} />}
    >
      {may && panel?.kind === 'sample' && <Proposals workspace={workspace} onClose={close} />}
      {may && panel?.kind === 'script' && (
        <ScriptEditor
          key={panel.script?.id ?? 'new'}
          workspace={workspace}
          script={panel.script}
          onClose={close}
        />
      )}
      {may && panel === null && total > 0 && (
        <Group gap="sm" mb="md">
          <AddButtons onOpen={setPanel} />
        </Group>
      )}
      {list.isPending && <Skeletons rows={4} height={64} />}
      {list.isError && (
        <ErrorState error={list.error} title={words.notLoaded} onRetry={() => void list.refetch()} />
      )}
      {list.isSuccess && total === 0 && panel === null && (
        <EmptyState
          icon={CheckCheck}
          title={words.empty.title}
          text={words.empty.text}
          action={
            <>
              <Button onClick={() => openAsk()}>{words.empty.ask}</Button>
              {may && <AddButtons onOpen={setPanel} />}
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
                  search={{ outcome: each ?? '', kind: kind ?? '' }}
                  {...(each === outcome && { 'aria-current': 'page' as const })}
                >
                  {each === null ? words.all : words.outcomes[each]}
                </Link>
              ))}
            </nav>
            <nav className="p-conflict-statuses" aria-label={scriptWords.kind}>
              {[null, ...KINDS].map((each) => (
                <Link
                  key={each ?? 'all'}
                  to="."
                  search={{ outcome: outcome ?? '', kind: each ?? '' }}
                  {...(each === kind && { 'aria-current': 'page' as const })}
                >
                  {scriptWords.kinds[each ?? 'all']}
                </Link>
              ))}
            </nav>
            {list.isSuccess && questions.length === 0 && (
              <Text size="sm" c="var(--p-text-2)">
                {kind === null ? words.noMatch : scriptWords.notFound}
              </Text>
            )}
            <ul className="p-questions">
              {questions.map((question) => (
                <QuestionCard
                  key={question.id}
                  {...{ workspace, question, may }}
                  onEdit={() => setPanel({ kind: 'script', script: question })}
                />
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

function AddButtons({ onOpen }: { readonly onOpen: (panel: Panel) => void }) {
  const { open } = useProposalWords();
  const scripts = useScriptWords();
  return (
    <>
      <Button variant="default" onClick={() => onOpen({ kind: 'sample' })}>
        {open}
      </Button>
      <Button variant="default" onClick={() => onOpen({ kind: 'script', script: null })}>
        {scripts.open}
      </Button>
    </>
  );
}

interface RunActionsProps {
  readonly workspace: string;
  readonly newest: TestRun | undefined;
  readonly total: number;
}

function RunActions({ workspace, newest, total }: RunActionsProps) {
  const { texts } = useTexts();
  const words = texts.evaluation;
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
