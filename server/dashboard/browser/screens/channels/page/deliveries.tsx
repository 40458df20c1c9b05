import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ChannelDelivery, deliveriesQuery } from '../../../api/queries/channels.ts';
import { ArrowRight, ArrowUp, Check, CircleAlert, Clock, type IconType, Pause } from '../../../icons.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { StatusPill } from '../../../parts/pills.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';

interface DeliveriesProps {
  readonly place: { readonly workspace: string; readonly channel: string };
}

type Outcome = ChannelDelivery['outcome'];
const looks: Readonly<Record<Outcome, readonly ['green' | 'amber' | 'red' | 'grey', IconType]>> = {
  waiting: ['amber', Clock],
  answered: ['green', Check],
  handled: ['grey', Check],
  sent: ['green', Check],
  delivered: ['green', Check],
  read: ['green', Check],
  held: ['grey', Pause],
  withheld: ['grey', Pause],
  failed: ['red', CircleAlert],
};

/** The last messages in and parts out, without their contents. */
export function Deliveries({ place }: DeliveriesProps) {
  const { texts } = useTexts();
  const words = texts.channels.page.deliveries;
  const { data, error, refetch } = useQuery(deliveriesQuery(place));
  const columns: readonly Column<ChannelDelivery>[] = [
    {
      key: 'kind',
      title: words.kind,
      cell: ({ direction }) => (
        <span style={{ display: 'inline-flex', gap: 8, alignItems: 'center' }}>
          <Icon of={direction === 'in' ? ArrowRight : ArrowUp} size={14} color="var(--p-dim)" />
          {words[direction]}
        </span>
      ),
    },
    {
      key: 'outcome',
      title: words.outcome,
      cell: ({ outcome, reason, attempts }) => {
        const [tone, icon] = looks[outcome];
        const why = [reason, attempts > 1 ? words.tries(attempts) : null].filter((part) => part !== null);
        return (
          <span title={why.join(' · ')}>
            <StatusPill tone={tone} icon={icon}>
              {texts.channels.page.outcomes[outcome]}
            </StatusPill>
          </span>
        );
      },
    },
    { key: 'took', title: words.took, align: 'end', cell: ({ ms }) => (ms === null ? '' : words.ms(ms)) },
    { key: 'time', title: words.time, align: 'end', cell: ({ at }) => <TimeAgo at={at} /> },
  ];
  return (
    <section aria-labelledby="channel-deliveries">
      <Title order={2} id="channel-deliveries">
        {words.title}
      </Title>
      <Text size="xs" c="dimmed" mb="sm">
        {words.hint}
      </Text>
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Skeletons rows={4} height={36} />}
      {data !== undefined && data.deliveries.length === 0 && <Text c="dimmed">{words.empty}</Text>}
      {data !== undefined && data.deliveries.length > 0 && (
        <DataTable
          label={words.title}
          columns={columns}
          rows={data.deliveries}
          rowKey={({ at, direction, ms }) => `${at} ${direction} ${ms}`}
          rowHeight={36}
          minWidth={440}
        />
      )}
    </section>
  );
}
