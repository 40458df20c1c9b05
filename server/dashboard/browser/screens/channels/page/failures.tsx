import { Button, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { failuresQuery, useRetryChannel } from '../../../api/queries/channels.ts';
import { useMay } from '../../../api/queries/workspace.ts';
import { RotateCcw } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';

interface FailuresProps {
  readonly place: { readonly workspace: string; readonly channel: string };
}

/** Unanswered messages and unsent parts with their reasons, and one button that tries all of them again. */
export function Failures({ place }: FailuresProps) {
  const { texts } = useTexts();
  const words = texts.channels.page.failures;
  const mayChange = useMay('channels:write');
  const { data, error, refetch } = useQuery(failuresQuery(place));
  const retry = useRetryChannel(place);
  const failures = data?.failures ?? [];
  const canRetry = mayChange && failures.some(({ retriable }) => retriable);
  return (
    <section aria-labelledby="channel-failures">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="channel-failures">
          {words.title}
        </Title>
        {canRetry && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon of={RotateCcw} size={14} />}
            loading={retry.isPending}
            onClick={() => retry.mutate()}
          >
            {words.retry}
          </Button>
        )}
      </Group>
      {retry.error !== null && <FaultLine>{retry.error.message}</FaultLine>}
      <Text role="status" size="sm">
        {retry.data === undefined ? '' : words.retried(retry.data.retried)}
      </Text>
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Skeletons rows={1} />}
      {data !== undefined && failures.length === 0 && <Text c="dimmed">{words.empty}</Text>}
      {failures.length > 0 && (
        <ul className="p-card p-checks">
          {failures.map(({ id, queue, reason, retriable, at }) => (
            <li key={`${queue} ${id}`} className="p-check">
              <div className="p-check-text">
                <Text fw={500}>{words[queue]}</Text>
                <Text size="sm" c="var(--p-text-2)" className="p-break">
                  {[reason ?? words.noReason, ...(retriable ? [] : [words.final])].join(' · ')}
                </Text>
              </div>
              <Text span size="xs" c="dimmed">
                <TimeAgo at={at} />
              </Text>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
