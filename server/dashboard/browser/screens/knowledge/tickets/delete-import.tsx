import { ActionIcon, Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { Trash2 } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { type Place, useDeleteImport } from './tickets-queries.ts';
import { useTicketsWords } from './tickets-words.ts';

/** Deletes an import with everything, after a question. */
export function DeleteImport(place: Place) {
  const words = useTicketsWords();
  const { texts } = useTexts();
  const [isAsking, setAsking] = useState(false);
  const remove = useDeleteImport(place);
  return (
    <>
      <ActionIcon variant="subtle" color="gray" aria-label={words.delete} onClick={() => setAsking(true)}>
        <Icon of={Trash2} size={16} />
      </ActionIcon>
      <Modal
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={words.deleteTitle}
        attributes={{ header: { role: 'presentation' } }}
        closeButtonProps={{ 'aria-label': texts.frame.close }}
        centered
      >
        <Text>{words.deleteText}</Text>
        {remove.isError && <FaultLine>{toProblem(remove.error).message}</FaultLine>}
        <Group mt="lg" justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => setAsking(false)}>
            {words.keep}
          </Button>
          <Button
            color="red"
            loading={remove.isPending}
            onClick={() => remove.mutate(undefined, { onSuccess: () => setAsking(false) })}
          >
            {words.deleteNow}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
