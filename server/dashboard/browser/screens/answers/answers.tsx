import { Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type RefObject, useMemo, useRef } from 'react';
import { toProblem } from '../../api/problem.ts';
import { useMay, useWorkspace } from '../../api/queries/workspace.ts';
import { openAsk } from '../../ask/open-ask.ts';
import { CheckCheck, MessageSquareText, Search, ThumbsDown, ThumbsUp } from '../../icons.ts';
import { type KeyAction, useKeyActions } from '../../keys/registry.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Icon } from '../../parts/icon.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Page } from '../../parts/page.tsx';
import { ConfidencePill } from '../../parts/pills.tsx';
import { EmptyState } from '../../parts/states/empty-state.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { kindName, useTexts } from '../../texts/texts.tsx';
import { KindIcon } from '../channels/cards/kind-icon.tsx';
import { useSearchValues } from '../use-search-values.ts';
import { AnswerFilters, readFilters } from './answer-filters.tsx';
import { answersQuery, type ListedAnswer, useReview, type Verdict } from './answer-queries.ts';
import { useAnswerWords } from './answer-words.ts';
import { VerdictPill, verdictKeys } from './verdicts.tsx';
import '../../ask/ask.css';
import '../knowledge/knowledge.css';
import './answers.css';

/** The log of answers: each question with its answer, how sure it was, and what people thought of it. */
export function Answers() {
  const workspace = useWorkspace();
  return workspace === null ? null : <AnswersOf workspace={workspace.id} key={workspace.id} />;
}

const filterNames = ['q', 'review', 'confidence', 'act', 'channel', 'feedback', 'reviewed', 'range'] as const;

function AnswersOf({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  const words = useAnswerWords();
  const { values, change } = useSearchValues();
  const field = useRef<HTMLInputElement>(null);
  const list = useInfiniteQuery(answersQuery(workspace, readFilters(values, Date.now())));
  const rows = list.data?.pages.flatMap((page) => page.answers) ?? [];
  const isFiltered = filterNames.some((name) => (values[name] ?? '') !== '');
  const review = useLogKeys(workspace, field);
  const columns = useColumns();
  const search = new URLSearchParams(values).toString();
  return (
    <Page title={texts.frame.areas.answers}>
      <AnswerFilters values={values} onChange={(changes) => void change(changes)} fieldRef={field} />
      {review.isError && <FaultLine>{toProblem(review.error).message}</FaultLine>}
      {list.isPending && <Skeletons rows={8} height={52} />}
      {list.isError && (
        <ErrorState error={list.error} title={words.notLoaded} onRetry={() => void list.refetch()} />
      )}
      {list.isSuccess && rows.length === 0 && (
        <NoAnswers
          isFiltered={isFiltered}
          isReview={values.review === 'true'}
          onClear={() => void change(Object.fromEntries(filterNames.map((name) => [name, ''])))}
        />
      )}
      {rows.length > 0 && (
        <div className="p-answers">
          <DataTable
            label={words.list}
            columns={columns}
            rows={rows}
            rowKey={({ message_id: id }) => id}
            rowLink={({ message_id: id }) =>
              `/w/${workspace}/answers/${id}${search === '' ? '' : `?${search}`}`
            }
            rowHeight={56}
            minWidth={0}
          />
          <MoreButton list={list}>{words.more}</MoreButton>
        </div>
      )}
    </Page>
  );
}

interface NoAnswersProps {
  readonly isFiltered: boolean;
  readonly isReview: boolean;
  readonly onClear: () => void;
}

function NoAnswers({ isFiltered, isReview, onClear }: NoAnswersProps) {
  const words = useAnswerWords();
  const clear = (
    <Button variant="default" onClick={onClear}>
      {words.noMatch.clear}
    </Button>
  );
  if (isReview)
    return (
      <EmptyState icon={CheckCheck} title={words.reviewed.title} text={words.reviewed.text} action={clear} />
    );
  if (isFiltered)
    return <EmptyState icon={Search} title={words.noMatch.title} text={words.noMatch.text} action={clear} />;
  return (
    <EmptyState
      icon={MessageSquareText}
      title={words.empty.title}
      text={words.empty.text}
      action={<Button onClick={() => openAsk()}>{words.empty.ask}</Button>}
    />
  );
}

function useColumns(): readonly Column<ListedAnswer>[] {
  const { texts } = useTexts();
  const words = useAnswerWords();
  const titles = words.columns;
  return [
    {
      key: 'question',
      title: titles.question,
      cell: ({ question, answer }) => (
        <span className="p-answer-lines">
          <span>{question ?? words.noQuestion}</span>
          <Text span size="xs" c="var(--p-text-2)">
            {answer}
          </Text>
        </span>
      ),
    },
    {
      key: 'confidence',
      title: titles.confidence,
      cell: ({ confidence, score }) => (
        <span className="p-answer-sure">
          {confidence !== null && <ConfidencePill level={confidence} {...(score !== null && { score })} />}
          {score !== null && <span className="p-numbers">{words.score(score)}</span>}
        </span>
      ),
    },
    {
      key: 'channel',
      title: titles.channel,
      cell: ({ channel }) => <KindIcon kind={channel} label={kindName(channel, texts)} size={16} />,
    },
    {
      key: 'feedback',
      title: titles.feedback,
      cell: ({ feedback, feedback_comment: comment }) =>
        feedback !== null && (
          <span
            role="img"
            className="p-answer-opinion"
            data-opinion={feedback}
            aria-label={[words.feedback[feedback], comment ?? ''].join(' ').trim()}
            title={comment ?? words.feedback[feedback]}
          >
            <Icon of={feedback === 'up' ? ThumbsUp : ThumbsDown} size={16} />
          </span>
        ),
    },
    {
      key: 'verdict',
      title: titles.verdict,
      cell: ({ verdict }) => verdict !== null && <VerdictPill verdict={verdict} />,
    },
    { key: 'at', title: titles.at, align: 'end', cell: ({ at }) => <TimeAgo at={at} /> },
  ];
}

/** J and K move, 1, 2 and 3 judge the answer with the focus. */
function useLogKeys(workspace: string, field: RefObject<HTMLInputElement | null>) {
  const { texts } = useTexts();
  const words = useAnswerWords();
  const may = useMay('inbox:reply');
  const review = useReview(workspace);
  const { mutate } = review;
  const actions = useMemo<readonly KeyAction[]>(() => {
    const judge = (verdict: Verdict) => {
      const row = document.activeElement?.closest('.p-answers tr[data-key]');
      const message = row?.getAttribute('data-key') ?? null;
      if (message !== null) mutate({ message, verdict });
    };
    const focusRow = () => document.querySelector<HTMLElement>('.p-answers a.p-row-link')?.focus();
    return [
      {
        id: 'answers-search',
        name: texts.knowledge.keys.search,
        keys: '/',
        scope: 'here',
        run: () => field.current?.focus(),
      },
      { id: 'answers-next', name: words.keys.next, keys: 'j', scope: 'here', run: focusRow },
      ...(may
        ? verdictKeys.map(({ verdict, keys }) => ({
            id: `answers-${verdict}`,
            name: words.verdicts[verdict],
            keys,
            scope: 'here' as const,
            run: () => judge(verdict),
          }))
        : []),
    ];
  }, [texts, words, may, mutate, field]);
  useKeyActions(actions);
  return review;
}
