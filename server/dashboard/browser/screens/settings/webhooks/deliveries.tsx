import { Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type Delivery,
  deliveriesQuery,
  type Webhook as Hook,
  replayDelivery,
} from '../../../api/queries/webhooks.ts';
import { useWorkspaceId } from '../../../api/queries/workspace.ts';
import { Check, CircleAlert, Clock, RotateCcw, Webhook } from '../../../icons.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { StatusPill } from '../../../parts/pills.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';

const looks = {
  pending: { tone: 'amber', icon: Clock },
  delivered: { tone: 'green', icon: Check },
  failed: { tone: 'red', icon: CircleAlert },
} as const;

interface DeliveriesProps {
  readonly hook: Hook;
  /** While the webhook is being deleted, nothing is asked of it. */
  readonly isEnding: boolean;
}

/** The latest deliveries of a webhook with the answers to them, and “Send again”. */
export function Deliveries({ hook, isEnding }: DeliveriesProps) {
  const { texts } = useTexts();
  const words = texts.settings.webhooks;
  const id = useWorkspaceId();
  const client = useQueryClient();
  const query = useQuery({ ...deliveriesQuery(id, hook.id), enabled: !isEnding });
  const replay = useMutation({
    mutationFn: (delivery: Delivery) => replayDelivery(id, hook.id, delivery.id),
    onSuccess: () => client.invalidateQueries({ queryKey: deliveriesQuery(id, hook.id).queryKey }),
  });
  const deliveries = query.data?.deliveries ?? [];
  const columns: readonly Column<Delivery>[] = [
    { key: 'event', title: words.event, cell: ({ event }) => <span className="p-mono">{event}</span> },
    {
      key: 'status',
      title: words.status,
      cell: ({ status }) => <StatusPill {...looks[status]}>{words[status]}</StatusPill>,
    },
    { key: 'answer', title: words.answer, cell: (delivery) => <Answer delivery={delivery} /> },
    { key: 'attempts', title: words.attempts, align: 'end', cell: ({ attempts }) => attempts },
    { key: 'when', title: words.when, cell: ({ created_at: at }) => <TimeAgo at={at} /> },
    {
      key: 'replay',
      title: texts.parts.table.actions,
      align: 'end',
      cell: (delivery) => (
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon of={RotateCcw} size={14} />}
          disabled={!hook.enabled || delivery.status === 'pending'}
          loading={replay.isPending && replay.variables.id === delivery.id}
          aria-label={`${words.replay}: ${delivery.event}`}
          onClick={() => replay.mutate(delivery)}
        >
          {words.replay}
        </Button>
      ),
    },
  ];
  if (query.error !== null) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (query.isPending) return <Skeletons rows={3} />;
  if (deliveries.length === 0) {
    return <EmptyState icon={Webhook} title={words.nothing} text={words.nothingText} />;
  }
  return (
    <>
      {replay.error !== null && <ErrorState error={replay.error} />}
      <DataTable
        label={words.deliveries}
        columns={columns}
        rows={deliveries}
        rowKey={(delivery) => delivery.id}
        minWidth={720}
      />
    </>
  );
}

function Answer({ delivery: { last_status: status, last_error: error } }: { readonly delivery: Delivery }) {
  const { texts } = useTexts();
  if (status === null && error === null) return <Text size="xs">{texts.settings.webhooks.noAnswer}</Text>;
  const text = [status, error].filter((part) => part !== null).join(' ');
  return (
    <Text size="xs" lineClamp={1} title={text} maw={260}>
      {text}
    </Text>
  );
}
