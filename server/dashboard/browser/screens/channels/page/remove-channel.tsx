import { Button, Text, TextInput, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type Channel, useRemoveChannel } from '../../../api/queries/channels.ts';
import { useWorkspace } from '../../../api/queries/workspace.ts';
import { Trash2 } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';

/** Removes the channel once its name was written. */
export function RemoveChannel({ channel }: { readonly channel: Channel }) {
  const { texts } = useTexts();
  const words = texts.channels.page.remove;
  const workspace = useWorkspace()?.id ?? '';
  const [written, setWritten] = useState('');
  const navigate = useNavigate();
  const remove = useRemoveChannel({ workspace, channel: channel.id });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    remove.mutate(undefined, { onSuccess: () => void navigate({ to: `/w/${workspace}/channels` }) });
  };
  return (
    <form onSubmit={submit}>
      <Title order={2}>{words.title}</Title>
      <Text c="var(--p-text-2)" mb="lg">
        {words.text}
      </Text>
      <TextInput
        label={words.confirm(channel.name)}
        autoComplete="off"
        value={written}
        onChange={(event) => setWritten(event.currentTarget.value)}
      />
      {remove.error !== null && <FaultLine>{remove.error.message}</FaultLine>}
      <Button
        type="submit"
        mt="md"
        color="red"
        leftSection={<Icon of={Trash2} />}
        loading={remove.isPending}
        disabled={written.trim() !== channel.name}
      >
        {words.button}
      </Button>
    </form>
  );
}
