import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { kindName, useTexts } from '../../texts/texts.tsx';
import { type Queues, queuesQuery } from './operations-queries.ts';
import { useOperationsWords } from './operations-words.ts';

type Channel = Queues['channels'][number];

const MAX_ROWS = 20;

/** Waiting and failed work by channel. Well ones are only counted. */
export function ChannelStates() {
  const { texts, locale } = useTexts();
  const words = useOperationsWords().queues;
  const { data, error, refetch } = useQuery(queuesQuery);
  if (error !== null && data === undefined) {
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return null;
  const number = new Intl.NumberFormat(locale);
  const ill = data.channels.filter(needsLook).slice(0, MAX_ROWS);
  const columns: readonly Column<Channel>[] = [
    {
      key: 'channel',
      title: words.channel,
      cell: ({ name, channel, enabled, status }) => (
        <span className="p-state-name" data-state={enabled && status === 'error' ? 'failed' : 'degraded'}>
          <span className="p-state-dot" aria-hidden="true" />
          {name} <span className="p-state-kind">{kindName(channel, texts)}</span>
        </span>
      ),
    },
    {
      key: 'state',
      title: words.state,
      cell: ({ enabled, status, last_error: reason, held_until: held }) =>
        !enabled ? words.off : held !== null ? words.held : (reason ?? words.states[status]),
    },
    {
      key: 'unanswered',
      title: words.unanswered,
      align: 'end',
      cell: ({ unanswered }) => number.format(unanswered),
    },
    { key: 'unsent', title: words.unsent, align: 'end', cell: ({ unsent }) => number.format(unsent) },
    {
      key: 'oldest',
      title: words.oldest,
      align: 'end',
      cell: ({ oldest_unanswered_at: one, oldest_unsent_at: other }) => {
        const [oldest] = [one, other].filter((at) => at !== null).toSorted();
        return oldest === undefined ? '–' : <TimeAgo at={oldest} />;
      },
    },
    {
      key: 'failed',
      title: words.failed,
      align: 'end',
      cell: ({ unanswerable, dead, failed }) => number.format(unanswerable + dead + failed),
    },
    { key: 'heard', title: words.heard, align: 'end', cell: ({ heard_at: at }) => <TimeAgo at={at} /> },
  ];
  const well = data.channels.length - ill.length;
  return (
    <section aria-label={words.title}>
      <div className="p-operations-head">
        <Title order={2}>{words.title}</Title>
        <Text size="sm" c="dimmed">
          {ill.length > 0 && well > 0 ? words.well(well) : words.about}
        </Text>
      </div>
      {ill.length > 0 && (
        <div>
          <DataTable
            label={words.title}
            columns={columns}
            rows={ill}
            rowKey={({ id }) => id}
            rowHeight={36}
            minWidth={0}
          />
        </div>
      )}
      {ill.length === 0 && (
        <Text c="var(--p-text-2)">{data.channels.length === 0 ? words.none : words.well(well)}</Text>
      )}
      {data.indexing.length > 0 && (
        <Text size="sm" c="var(--p-text-2)" mt="xs">
          {words.indexing(data.indexing.length)}
        </Text>
      )}
    </section>
  );
}

function needsLook({
  enabled,
  status,
  unanswerable,
  dead,
  failed,
  held_until: held,
  unsent,
  unanswered,
}: Channel) {
  if (unanswerable + dead + failed + unsent + unanswered > 0 || held !== null) return true;
  return enabled && status !== 'connected' && status !== 'connecting';
}
