import { ActionIcon, Button, Group, Menu, Modal, Radio, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import {
  isGoing,
  type Source,
  type SourceAction,
  useDeleteSource,
  useSourceAction,
} from '../../../api/queries/sources.ts';
import { Ellipsis, Pause, Play, RefreshCw, Square, Trash2 } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';

interface SourceActionsProps {
  readonly workspace: string;
  readonly source: Source;
}

/** Runs, stops, pauses and deletes a source. */
export function SourceActions({ workspace, source }: SourceActionsProps) {
  const { texts } = useTexts();
  const words = texts.sources.page;
  const [isDeleting, setDeleting] = useState(false);
  const act = useSourceAction({ workspace, source: source.id });
  const going = isGoing(source);
  const run = (action: SourceAction) =>
    act.mutate(action, {
      onError: (error) =>
        notifications.show({ message: toProblem(error).message, color: 'red', role: 'alert' }),
    });
  return (
    <Group gap="sm" wrap="nowrap">
      {going ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon of={Square} size={14} />}
          loading={act.isPending}
          onClick={() => run('cancel')}
        >
          {words.cancel}
        </Button>
      ) : (
        <Button
          size="xs"
          leftSection={<Icon of={source.paused ? Play : RefreshCw} size={14} />}
          loading={act.isPending}
          onClick={() => run(source.paused ? 'resume' : 'run')}
        >
          {source.paused ? words.resume : words.run}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size="xs" variant="default" aria-label={words.actions}>
            <Icon of={Ellipsis} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!source.paused && !going && (
            <Menu.Item leftSection={<Icon of={RefreshCw} size={14} />} onClick={() => run('run_full')}>
              {words.runFull}
            </Menu.Item>
          )}
          {!source.paused && (
            <Menu.Item leftSection={<Icon of={Pause} size={14} />} onClick={() => run('pause')}>
              {words.pause}
            </Menu.Item>
          )}
          {source.paused && going && (
            <Menu.Item leftSection={<Icon of={Play} size={14} />} onClick={() => run('resume')}>
              {words.resume}
            </Menu.Item>
          )}
          <Menu.Item
            c="var(--p-red)"
            leftSection={<Icon of={Trash2} size={14} />}
            onClick={() => setDeleting(true)}
          >
            {words.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        title={texts.sources.remove.title(source.name)}
        attributes={{ header: { role: 'presentation' } }}
        closeButtonProps={{ 'aria-label': texts.frame.close }}
        centered
      >
        <DeleteSource workspace={workspace} source={source} onClose={() => setDeleting(false)} />
      </Modal>
    </Group>
  );
}

function DeleteSource({ workspace, source, onClose }: SourceActionsProps & { readonly onClose: () => void }) {
  const { texts } = useTexts();
  const words = texts.sources.remove;
  const [documents, setDocuments] = useState<'keep' | 'delete'>('keep');
  const remove = useDeleteSource({ workspace, source: source.id });
  const navigate = useNavigate();
  const deleteIt = () =>
    remove.mutate(documents, {
      onSuccess: () => {
        notifications.show({ message: words.done(source.name), role: 'status' });
        void navigate({ to: '/w/$workspace/knowledge/sources', params: { workspace } });
      },
    });
  return (
    <Stack gap="lg">
      <Text>{words.text}</Text>
      {source.documents > 0 && (
        <Radio.Group
          value={documents}
          onChange={(value) => setDocuments(value === 'delete' ? 'delete' : 'keep')}
          aria-label={texts.sources.columns.documents}
        >
          <Stack gap="md">
            <Radio value="keep" label={words.keep} description={words.keepText} data-autofocus />
            <Radio value="delete" label={words.delete(source.documents)} description={words.deleteText} />
          </Stack>
        </Radio.Group>
      )}
      {remove.error !== null && <FaultLine>{toProblem(remove.error).message}</FaultLine>}
      <Group justify="flex-end" gap="sm">
        <Button variant="subtle" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button
          color="red"
          leftSection={<Icon of={Trash2} size={14} />}
          loading={remove.isPending}
          onClick={deleteIt}
        >
          {words.button}
        </Button>
      </Group>
    </Stack>
  );
}
