import { ActionIcon, Button, Group, Kbd, Tooltip } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useMay, useWorkspace } from '../../api/queries/workspace.ts';
import { ArrowLeft, ChevronDown, ChevronUp, RotateCcw, Wrench } from '../../icons.ts';
import { type KeyAction, useKeyActions } from '../../keys/registry.ts';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { useSearchValues } from '../use-search-values.ts';
import { readFilters } from './answer-filters.tsx';
import { type AnswerPlace, answerQuery, answersQuery, type ExplainedAnswer } from './answer-queries.ts';
import { useAnswerWords } from './answer-words.ts';
import { Exchange } from './exchange.tsx';
import { FixPanel } from './fix-panel.tsx';
import { ReplayPanel } from './replay-panel.tsx';
import { TraceView } from './trace-view.tsx';
import { VerdictButtons, VerdictPill } from './verdicts.tsx';
import '../../ask/ask.css';
import '../knowledge/knowledge.css';
import './answers.css';

/** One answer on one page: the exchange, and why the answer is as it is. */
export function AnswerPage() {
  const workspace = useWorkspace();
  const { message } = useParams({ strict: false });
  if (workspace === null || message === undefined) return null;
  return <Loaded place={{ workspace: workspace.id, message }} key={message} />;
}

function Loaded({ place }: { readonly place: AnswerPlace }) {
  const words = useAnswerWords();
  const { data: answer, error, refetch } = useQuery(answerQuery(place));
  const [open, setOpen] = useState<OpenPanel>(null);
  return (
    <Page
      title={answer?.question ?? words.page.title}
      intro={
        <span className="p-head-facts">
          <BackLink workspace={place.workspace} />
          {answer?.review != null && (
            <span className="p-answer-review">
              <VerdictPill verdict={answer.review.verdict} /> {words.judgedBy(answer.review.reviewer)}
            </span>
          )}
        </span>
      }
      action={answer !== undefined && <Actions {...{ place, answer, open, onOpen: setOpen }} />}
    >
      {answer !== undefined ? (
        <div className="p-answer">
          <Exchange workspace={place.workspace} answer={answer} />
          <div className="p-answer-why">
            {open === 'fix' && <FixPanel workspace={place.workspace} answer={answer} />}
            {open === 'replay' && <ReplayPanel place={place} />}
            <TraceView workspace={place.workspace} answer={answer} />
          </div>
        </div>
      ) : error === null ? (
        <Skeletons rows={8} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

type OpenPanel = 'fix' | 'replay' | null;

function BackLink({ workspace }: { readonly workspace: string }) {
  const words = useAnswerWords();
  const { values } = useSearchValues();
  return (
    <Link to="/w/$workspace/answers" params={{ workspace }} search={values} className="p-back">
      <Icon of={ArrowLeft} size={14} />
      {words.page.back}
    </Link>
  );
}

interface ActionsProps {
  readonly place: AnswerPlace;
  readonly answer: ExplainedAnswer;
  readonly open: OpenPanel;
  readonly onOpen: (panel: OpenPanel) => void;
}

function Actions({ place, answer, open, onOpen }: ActionsProps) {
  const words = useAnswerWords();
  const may = useMay('inbox:reply');
  const hasQuestion = answer.question !== null && answer.question !== '';
  const toggle = (panel: OpenPanel) => onOpen(open === panel ? null : panel);
  const actions = useMemo<readonly KeyAction[]>(
    () =>
      hasQuestion
        ? [
            {
              id: 'answers-replay',
              name: words.keys.replay,
              keys: 'r',
              scope: 'here',
              run: () => onOpen('replay'),
            },
            { id: 'answers-fix', name: words.keys.fix, keys: 'f', scope: 'here', run: () => onOpen('fix') },
          ]
        : [],
    [words, hasQuestion, onOpen],
  );
  useKeyActions(actions);
  return (
    <Group gap="xs" className="p-answer-actions">
      <Neighbours place={place} />
      {may && <VerdictButtons place={place} given={answer.review?.verdict ?? null} />}
      {hasQuestion && (
        <>
          <Button
            size="xs"
            variant="default"
            aria-expanded={open === 'replay'}
            leftSection={<Icon of={RotateCcw} size={14} />}
            rightSection={<Kbd className="p-wide">R</Kbd>}
            onClick={() => toggle('replay')}
          >
            {words.keys.replay}
          </Button>
          <Button
            size="xs"
            aria-expanded={open === 'fix'}
            leftSection={<Icon of={Wrench} size={14} />}
            onClick={() => toggle('fix')}
          >
            {words.keys.fix}
          </Button>
        </>
      )}
    </Group>
  );
}

/** The answers before and after this one in the log that it was opened from. */
function Neighbours({ place: { workspace, message } }: { readonly place: AnswerPlace }) {
  const words = useAnswerWords();
  const navigate = useNavigate();
  const { values } = useSearchValues();
  // The log was loaded before; the page of one answer loads none for it.
  const { data } = useInfiniteQuery({
    ...answersQuery(workspace, readFilters(values, Date.now())),
    enabled: false,
  });
  const rows = data?.pages.flatMap((page) => page.answers) ?? [];
  const at = rows.findIndex(({ message_id: id }) => id === message);
  const next = at === -1 ? undefined : rows[at + 1]?.message_id;
  const previous = rows[at - 1]?.message_id;
  const written = new URLSearchParams(values).toString();
  const search = useMemo(() => Object.fromEntries(new URLSearchParams(written)), [written]);
  const actions = useMemo<readonly KeyAction[]>(() => {
    const go = (id: string | undefined) =>
      id !== undefined &&
      void navigate({ to: '/w/$workspace/answers/$message', params: { workspace, message: id }, search });
    return [
      { id: 'answers-next', name: words.keys.next, keys: 'j', scope: 'here', run: () => go(next) },
      {
        id: 'answers-previous',
        name: words.keys.previous,
        keys: 'k',
        scope: 'here',
        run: () => go(previous),
      },
    ];
  }, [words, navigate, workspace, next, previous, search]);
  useKeyActions(actions);
  if (at === -1) return null;
  return (
    <Group gap={4} wrap="nowrap">
      <span className="p-numbers p-answer-place">{words.page.place(at + 1, rows.length)}</span>
      <Step
        name={words.keys.previous}
        keys="K"
        of={ChevronUp}
        {...{ workspace, message: previous, search }}
      />
      <Step name={words.keys.next} keys="J" of={ChevronDown} {...{ workspace, message: next, search }} />
    </Group>
  );
}

interface StepProps {
  readonly name: string;
  readonly keys: string;
  readonly of: typeof ChevronUp;
  readonly workspace: string;
  readonly message: string | undefined;
  readonly search: Readonly<Record<string, string>>;
}

function Step({ name, keys, of, workspace, message, search }: StepProps) {
  if (message === undefined)
    return (
      <ActionIcon aria-label={name} disabled>
        <Icon of={of} />
      </ActionIcon>
    );
  return (
    <Tooltip label={`${name}  ${keys}`}>
      <ActionIcon
        aria-label={name}
        renderRoot={(props) => (
          <Link
            to="/w/$workspace/answers/$message"
            params={{ workspace, message }}
            search={search}
            {...props}
          />
        )}
      >
        <Icon of={of} />
      </ActionIcon>
    </Tooltip>
  );
}
