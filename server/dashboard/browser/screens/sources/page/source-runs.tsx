import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isRunGoing, runsQuery, type Source, type SourceRun } from '../../../api/queries/sources.ts';
import { Clock } from '../../../icons.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import type { Catalogue } from '../../../texts/english.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { describeResult, RunPill } from '../run-state.tsx';

/** The latest runs of a source, newest first. */
export function SourceRuns({ source }: { readonly source: Source }) {
  const { texts } = useTexts();
  const { runs: words, page } = texts.sources;
  const { data, error, refetch } = useQuery(runsQuery(source));
  const columns: readonly Column<SourceRun>[] = [
    { key: 'number', title: words.run, width: 100, cell: ({ number }) => words.number(number) },
    {
      key: 'state',
      title: texts.sources.columns.state,
      width: 140,
      cell: (run) => <RunPill run={run} />,
    },
    {
      key: 'result',
      title: words.result,
      cell: (run) => (
        <Text span inherit c="var(--p-text-2)" className="p-item-why" title={resultOf(run, texts)}>
          {resultOf(run, texts)}
        </Text>
      ),
    },
    { key: 'by', title: words.by, width: 140, cell: ({ started_by: by }) => starterOf(by, texts) },
    {
      key: 'started',
      title: words.started,
      align: 'end',
      width: 120,
      cell: ({ started_at: at, created_at: made }) => <TimeAgo at={at ?? made} />,
    },
    { key: 'took', title: words.took, align: 'end', width: 90, cell: (run) => lengthOf(run, texts) },
  ];
  if (data === undefined) {
    return error === null ? (
      <Skeletons rows={6} />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.runs.length === 0) return <EmptyState icon={Clock} title={page.noRun} text={page.noRunText} />;
  return (
    <DataTable<SourceRun>
      label={page.runs}
      columns={columns}
      rows={data.runs}
      rowKey={({ id }) => id}
      minWidth={860}
    />
  );
}

/** Returns the result of a run; if it finished, with its remark. */
function resultOf(run: SourceRun, texts: Catalogue): string {
  const result = `${run.cut_only ? `${texts.sources.runs.cutOnly}: ` : ''}${describeResult(run, texts)}`;
  return run.reason === null || isRunGoing(run) || ['failed', 'held'].includes(run.state)
    ? result
    : `${result}, ${run.reason}`;
}

function starterOf(by: string, { sources: { runs } }: Catalogue): string {
  if (by === 'schedule') return runs.schedule;
  if (by === 'change') return runs.change;
  return by === 'operator' ? runs.operator : by;
}

function lengthOf({ started_at: start, finished_at: end }: SourceRun, { sources: { runs } }: Catalogue) {
  if (start === null || end === null) return '–';
  const seconds = Math.round((Date.parse(end) - Date.parse(start)) / 1_000);
  return seconds < 120 ? runs.seconds(seconds) : runs.minutes(Math.round(seconds / 60));
}
