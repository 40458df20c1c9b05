import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CheckCheck, RotateCcw, Trash2 } from '../../icons.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/states/empty-state.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useSearchValues } from '../use-search-values.ts';
import { FailureActions, FailureButton } from './failure-actions.tsx';
import { type FailureGroup, failuresQuery, queuesQuery, type ShownFailures } from './operations-queries.ts';
import { useOperationsWords } from './operations-words.ts';

/** Failures by reason. The buttons take exactly what the filter shows. */
export function Failures() {
  const words = useOperationsWords().failures;
  const { shown } = useShown();
  const { data, error, refetch } = useQuery(failuresQuery(shown));
  const groups = data?.groups ?? [];
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  const retriable = groups.reduce((sum, each) => sum + each.retriable, 0);
  return (
    <div className="p-op-failures">
      <Filters />
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Skeletons rows={5} />}
      {data !== undefined && groups.length === 0 && (
        <EmptyState icon={CheckCheck} title={words.none} text={words.noneText} />
      )}
      {groups.length > 0 && (
        <>
          <Group gap="sm">
            <FailureButton kind="retry" shown={shown} count={retriable} icon={RotateCcw} />
            <FailureButton kind="drop" shown={shown} count={total} icon={Trash2} />
          </Group>
          <Groups groups={groups} />
        </>
      )}
      <FailureActions />
    </div>
  );
}

/** Reads the filter from the address. */
function useShown() {
  const { values, change } = useSearchValues();
  const shown: ShownFailures = {
    queue: values.queue === 'deliver' ? 'deliver' : 'answer',
    channel: values.channel ?? '',
    // The mark before the reason keeps an empty one apart from none.
    reason: values.reason === undefined ? null : values.reason.slice(1),
    from: values.from ?? '',
    until: values.until ?? '',
  };
  return { shown, change };
}

function Filters() {
  const words = useOperationsWords().failures;
  const { shown, change } = useShown();
  const { data } = useQuery(queuesQuery);
  const replace = { replace: true };
  return (
    <div className="p-op-filters">
      <NativeSelect
        label={words.queue}
        value={shown.queue}
        onChange={(event) => void change({ queue: event.currentTarget.value, reason: '' })}
        data={[
          { value: 'answer', label: words.queues.answer },
          { value: 'deliver', label: words.queues.deliver },
        ]}
      />
      <NativeSelect
        label={words.channel}
        value={shown.channel}
        onChange={(event) => void change({ channel: event.currentTarget.value })}
        data={[
          { value: '', label: words.anyChannel },
          ...(data?.channels ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <TextInput
        type="date"
        label={words.from}
        value={shown.from}
        onChange={(event) => void change({ from: event.currentTarget.value }, replace)}
      />
      <TextInput
        type="date"
        label={words.until}
        value={shown.until}
        onChange={(event) => void change({ until: event.currentTarget.value }, replace)}
      />
      {shown.reason !== null && (
        <Button variant="default" onClick={() => void change({ reason: '' })}>
          {words.anyReason}
        </Button>
      )}
    </div>
  );
}

function Groups({ groups }: { readonly groups: readonly FailureGroup[] }) {
  const { locale } = useTexts();
  const words = useOperationsWords().failures;
  const { shown, change } = useShown();
  const number = new Intl.NumberFormat(locale);
  const columns: readonly Column<FailureGroup>[] = [
    {
      key: 'reason',
      title: words.reason,
      cell: ({ reason, count, retriable }) => (
        <span className="p-two-lines">
          <span>{reason === null || reason === '' ? words.noReason : reason}</span>
          {retriable < count && <span className="p-state-kind">{words.refused(count - retriable)}</span>}
        </span>
      ),
    },
    { key: 'count', title: words.count, align: 'end', width: 90, cell: ({ count }) => number.format(count) },
    {
      key: 'channels',
      title: words.where,
      align: 'end',
      width: 90,
      cell: ({ channels }) => number.format(channels),
    },
    {
      key: 'oldest',
      title: words.oldest,
      align: 'end',
      width: 120,
      cell: ({ oldest_at: at }) => <TimeAgo at={at} />,
    },
    {
      key: 'newest',
      title: words.newest,
      align: 'end',
      width: 120,
      cell: ({ newest_at: at }) => <TimeAgo at={at} />,
    },
    {
      key: 'only',
      title: '',
      hint: words.onlyThis,
      align: 'end',
      width: 150,
      cell: ({ reason }) =>
        shown.reason === null && (
          <Button variant="subtle" size="xs" onClick={() => void change({ reason: `=${reason ?? ''}` })}>
            {words.onlyThis}
          </Button>
        ),
    },
  ];
  return (
    <div>
      <DataTable
        label={words.reason}
        columns={columns}
        rows={groups}
        rowKey={({ reason }) => reason ?? ''}
        rowHeight={52}
        minWidth={0}
      />
    </div>
  );
}
