import { Button, Drawer, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { Plus } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import type { useActOnSet } from './change-queries.ts';
import { useChangeWords } from './change-words.ts';

/** Stages a new document from a title and a text. */
export function AddDocument({ act }: { readonly act: ReturnType<typeof useActOnSet> }) {
  const { texts } = useTexts();
  const words = useChangeWords();
  const [isOpen, setOpen] = useState(false);
  const [title, setTitle] = useState('');
  const [content, setContent] = useState('');
  const close = () => {
    setOpen(false);
    setTitle('');
    setContent('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const change = { kind: 'document_new', title: title.trim(), content, audience: [] } as const;
    act.mutate({ act: 'stage', change: { ...change, audience: [] } }, { onSuccess: close });
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon of={Plus} size={14} />}
        onClick={() => setOpen(true)}
      >
        {words.addDocument}
      </Button>
      <Drawer
        opened={isOpen}
        onClose={close}
        position="right"
        size="lg"
        title={words.addDocument}
        className="p-drawer"
        attributes={{ header: { role: 'presentation' } }}
        overlayProps={{ backgroundOpacity: 0.35 }}
        closeButtonProps={{ 'aria-label': texts.frame.close }}
      >
        <form onSubmit={submit}>
          <Stack gap="lg">
            <TextInput
              label={words.documentTitle}
              value={title}
              maxLength={500}
              onChange={({ currentTarget }) => setTitle(currentTarget.value)}
              data-autofocus
            />
            <Textarea
              label={words.documentText}
              autosize
              minRows={12}
              maxRows={30}
              value={content}
              onChange={({ currentTarget }) => setContent(currentTarget.value)}
            />
            {act.isError && <FaultLine>{toProblem(act.error).message}</FaultLine>}
            <Group justify="flex-end" gap="sm">
              <Button variant="subtle" onClick={close}>
                {texts.parts.cancel}
              </Button>
              <Button
                type="submit"
                loading={act.isPending}
                disabled={title.trim() === '' || content.trim() === ''}
              >
                {words.add}
              </Button>
            </Group>
          </Stack>
        </form>
      </Drawer>
    </>
  );
}
