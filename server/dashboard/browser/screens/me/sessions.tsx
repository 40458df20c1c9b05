import { Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { endSession, listSessions } from '../../api/account.ts';
import { Monitor } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/page/section.tsx';
import { StatusPill } from '../../parts/pills.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { describeFault } from '../sign-in/describe-fault.ts';
import { describeAgent } from './describe-agent.ts';

/** Where the person is signed in, and the way to end it. */
export function Sessions() {
  const { texts } = useTexts();
  const words = texts.me.sessions;
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: listSessions,
  });
  const end = useMutation({
    mutationFn: endSession,
    onSuccess: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  });
  return (
    <Section title={words.title} text={query.data && words.text(query.data.length)}>
      {end.error !== null && <FaultLine>{describeFault(end.error, texts)}</FaultLine>}
      {query.isPending && <Skeletons rows={2} height={52} />}
      {query.error !== null && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined && (
        <div className="p-card">
          {query.data.map(({ id, ip_address, user_agent, created_at, last_used_at, is_current }) => {
            const name = describeAgent(user_agent, texts) ?? words.unknown;
            return (
              <div key={id} className="p-me-row">
                <Icon of={Monitor} color="var(--p-dim)" />
                <div className="p-me-row-text">
                  <Text fw={500} truncate>
                    {name}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {ip_address !== null && ip_address !== '' && `${ip_address}, `}
                    {words.used} <TimeAgo at={last_used_at} />, {words.since} <TimeAgo at={created_at} />
                  </Text>
                </div>
                {is_current ? (
                  <StatusPill tone="accent">{words.current}</StatusPill>
                ) : (
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={`${words.end}: ${name}`}
                    loading={end.isPending && end.variables === id}
                    onClick={() => end.mutate(id)}
                  >
                    {words.end}
                  </Button>
                )}
              </div>
            );
          })}
        </div>
      )}
    </Section>
  );
}
