import { Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { addPasskey, hasPasskeys, listPasskeys, removePasskey } from '../../api/passkeys.ts';
import { Problem } from '../../api/problem.ts';
import { FingerprintPattern, Plus } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/page/section.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { describeFault } from '../sign-in/describe-fault.ts';
import { describeAgent } from './describe-agent.ts';

/** The passkeys of the person: add one here, remove one. */
export function Passkeys() {
  const { texts } = useTexts();
  const words = texts.me.passkeys;
  const client = useQueryClient();
  const query = useQuery({ queryKey: ['passkeys'], queryFn: listPasskeys });
  const refresh = () => client.invalidateQueries({ queryKey: ['passkeys'] });
  const add = useMutation({
    mutationFn: () => addPasskey(describeAgent(navigator.userAgent, texts) ?? words.unnamed),
    onSuccess: refresh,
  });
  const remove = useMutation({ mutationFn: removePasskey, onSuccess: refresh });
  const failed = add.error ?? remove.error;
  const button = (
    <Button
      variant="default"
      leftSection={<Icon of={Plus} size={14} />}
      loading={add.isPending}
      onClick={() => add.mutate()}
      style={{ flexShrink: 0 }}
    >
      {words.add}
    </Button>
  );
  return (
    <Section
      title={words.title}
      text={hasPasskeys() ? words.text : words.unsupported}
      beside={hasPasskeys() ? button : undefined}
    >
      {failed !== null && (
        <FaultLine>
          {failed instanceof Problem ? describeFault(failed, texts) : texts.signIn.errors.passkey}
        </FaultLine>
      )}
      {query.isPending && <Skeletons rows={1} height={52} />}
      {query.error !== null && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.length === 0 && <Text c="dimmed">{words.none}</Text>}
      {query.data !== undefined && query.data.length > 0 && (
        <div className="p-card">
          {query.data.map(({ id, name, createdAt }) => (
            <div key={id} className="p-me-row">
              <Icon of={FingerprintPattern} color="var(--p-dim)" />
              <div className="p-me-row-text">
                <Text fw={500} truncate>
                  {name || words.unnamed}
                </Text>
                {createdAt !== undefined && (
                  <Text size="xs" c="dimmed">
                    {words.added} <TimeAgo at={createdAt} />
                  </Text>
                )}
              </div>
              <Button
                variant="default"
                size="xs"
                c="var(--p-red)"
                aria-label={`${words.remove}: ${name || words.unnamed}`}
                onClick={() => remove.mutate(id)}
              >
                {words.remove}
              </Button>
            </div>
          ))}
        </div>
      )}
    </Section>
  );
}
