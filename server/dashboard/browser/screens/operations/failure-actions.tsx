import { Button, Group, Modal, Progress, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { toProblem } from '../../api/problem.ts';
import { useMe } from '../../api/queries/me.ts';
import type { IconType } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import {
  type FailureAction,
  failureActionsQuery,
  type ShownFailures,
  useStartFailureAction,
  useStopFailureAction,
} from './operations-queries.ts';
import { useOperationsWords } from './operations-words.ts';

interface FailureButtonProps {
  readonly kind: FailureAction['kind'];
  readonly shown: ShownFailures;
  readonly count: number;
  readonly icon: IconType;
}

/** Retries or drops what the filter shows, after a question that names the number. */
export function FailureButton({ kind, shown, count, icon }: FailureButtonProps) {
  const words = useOperationsWords().failures;
  const may = useMe().permissions.includes('operations:write');
  const [isOpen, { open, close }] = useDisclosure(false);
  const start = useStartFailureAction();
  if (!may) return null;
  const confirm = () => start.mutate({ kind, shown }, { onSuccess: close });
  const color = kind === 'drop' ? { color: 'red' } : {};
  return (
    <>
      <Button
        variant={kind === 'drop' ? 'default' : 'filled'}
        leftSection={<Icon of={icon} size={14} />}
        disabled={count === 0}
        onClick={open}
      >
        {words[kind](count)}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.confirm[kind](count)} centered>
        <Text>{kind === 'drop' ? words.confirm.dropText : words.confirm.retryText}</Text>
        {start.isError && <FaultLine>{toProblem(start.error).message}</FaultLine>}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            {words.confirm.no}
          </Button>
          <Button {...color} loading={start.isPending} onClick={confirm} data-autofocus>
            {words.confirm.yes[kind]}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

/** The latest retries and removals, with who started them and how far they are. */
export function FailureActions() {
  const words = useOperationsWords().failures.actions;
  const { data } = useQuery(failureActionsQuery);
  if (data === undefined) return null;
  return (
    <section aria-label={words.title}>
      <Title order={2} mb="xs">
        {words.title}
      </Title>
      {data.actions.length === 0 && <Text c="var(--p-text-2)">{words.none}</Text>}
      <ul className="p-op-actions">
        {data.actions.map((action) => (
          <ActionLine key={action.id} action={action} />
        ))}
      </ul>
    </section>
  );
}

function ActionLine({ action }: { readonly action: FailureAction }) {
  const all = useOperationsWords().failures;
  const words = all.actions;
  const may = useMe().permissions.includes('operations:write');
  const stop = useStopFailureAction();
  const { kind, queue, filter, state, total, done, started_by: by, created_at: at } = action;
  const share = total === 0 ? 100 : (done / total) * 100;
  const name = `${words.kinds[kind]}: ${all.queues[queue]}`;
  return (
    <li className="p-card">
      <div className="p-op-action">
        <Text fw={500}>{name}</Text>
        <Text size="sm" c="var(--p-text-2)" truncate>
          {filter.reason ?? all.anyReason}
        </Text>
        <Text size="sm" className="p-numbers" role={state === 'running' ? 'status' : undefined}>
          {words.states[state]}, {words.progress(done, total)}
        </Text>
        <Text size="sm" c="dimmed">
          {words.by(by)}, <TimeAgo at={at} />
        </Text>
        {state === 'running' && may && (
          <Button variant="default" size="xs" loading={stop.isPending} onClick={() => stop.mutate(action.id)}>
            {words.stop}
          </Button>
        )}
      </div>
      {state === 'running' && <Progress value={share} size={4} aria-label={name} />}
    </li>
  );
}
