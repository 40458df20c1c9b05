import { Button, Group, Switch, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Channel, useChangeChannel, useCheckChannel } from '../../../api/queries/channels.ts';
import { useWorkspace } from '../../../api/queries/workspace.ts';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { MailboxPromise } from './mailbox/promise.tsx';
import { StepOf } from './step.tsx';

interface OnStepProps {
  readonly channel: Channel;
  readonly isMailbox: boolean;
  readonly onBack: (() => void) | null;
  readonly onNext: () => void;
}

/** Says what will happen, and switches the channel on. Until then it answers nobody. */
export function OnStep({ channel, isMailbox, onBack, onNext }: OnStepProps) {
  const { texts } = useTexts();
  const words = texts.channels.wizard.on;
  const place = { workspace: useWorkspace()?.id ?? '', channel: channel.id };
  const change = useChangeChannel(place);
  const check = useCheckChannel(place);
  const turn = (enabled: boolean) => {
    // A mailbox that was never read begins at its end as of now: the check stores where that is.
    const isFirst = enabled && isMailbox && channel.heard_at === null;
    if (isFirst) check.mutate(undefined, { onSettled: () => change.mutate({ enabled }) });
    else change.mutate({ enabled });
  };
  const isBusy = change.isPending || check.isPending;
  return (
    <StepOf
      title={words.title}
      text={channel.enabled ? words.live : words.isOff}
      onBack={onBack}
      onNext={onNext}
    >
      {isMailbox && <MailboxPromise />}
      <Switch
        label={words.label}
        color="petrol"
        checked={channel.enabled}
        disabled={isBusy}
        onChange={(event) => turn(event.currentTarget.checked)}
      />
      {change.error !== null && <FaultLine>{change.error.message}</FaultLine>}
    </StepOf>
  );
}

/** Why nothing can be seen: the channel is off. */
export function OffNote({ onOpen }: { readonly onOpen: () => void }) {
  const { texts } = useTexts();
  const words = texts.channels.wizard;
  return (
    <Group className="p-note" role="note" gap="sm" wrap="nowrap">
      <Text flex={1}>{words.check.off}</Text>
      <Button variant="default" size="xs" onClick={onOpen}>
        {words.steps.on}
      </Button>
    </Group>
  );
}

interface FinishProps {
  readonly workspace: string;
  readonly channel: string;
}

export function Finish({ workspace, channel }: FinishProps) {
  const { texts } = useTexts();
  const words = texts.channels.wizard.on;
  return (
    <Group mt="xl" gap="md">
      <Button component={Link} to={`/w/${workspace}/channels`}>
        {words.finish}
      </Button>
      <Link to={`/w/${workspace}/channels/${channel}`} search={{ tab: 'settings' }}>
        {words.more}
      </Link>
    </Group>
  );
}
