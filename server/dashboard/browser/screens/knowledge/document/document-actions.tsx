import { ActionIcon, Button, Drawer, FileButton, Group, Menu, Stack, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import {
  type Document,
  documentTextQuery,
  uploadFile,
  useAddPage,
  useChangeDocuments,
  useRefreshDocuments,
  useReplaceText,
} from '../../../api/queries/documents.ts';
import { Ellipsis, Globe, Pencil, RefreshCw, Trash2, Upload } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useDeleteDocuments } from '../use-delete-documents.ts';

interface DocumentActionsProps {
  readonly workspace: string;
  readonly document: Document;
}

/** The actions on one document: index it again, give it new content, delete it. */
export function DocumentActions({ workspace, document }: DocumentActionsProps) {
  const { texts } = useTexts();
  const words = texts.knowledge.page;
  const { id, origin, title, url, audience } = document;
  const [isEditing, setEditing] = useState(false);
  const chooser = useRef<HTMLButtonElement>(null);
  const navigate = useNavigate();
  const change = useChangeDocuments(workspace);
  const fetchAgain = useAddPage(workspace);
  const remove = useDeleteDocuments(workspace);
  const refresh = useRefreshDocuments(workspace);
  const tell = (error: unknown) =>
    notifications.show({ message: toProblem(error).message, color: 'red', role: 'alert' });
  const reindex = () =>
    change.mutate(
      { ids: [id], action: 'reindex' },
      {
        onError: tell,
        onSuccess: ([failure]) =>
          failure !== undefined &&
          notifications.show({ message: failure.detail, color: 'red', role: 'alert' }),
      },
    );
  const replace = (file: File | null) => {
    if (file === null) return;
    const { signal } = new AbortController();
    uploadFile({ workspace, file, replaces: id, onProgress: () => {}, signal }).then(refresh, tell);
  };
  const deleteIt = async () => {
    if (!(await remove([document]))) return;
    void navigate({ to: '/w/$workspace/knowledge/documents', params: { workspace } });
  };
  return (
    <Group gap="sm" wrap="nowrap">
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon of={RefreshCw} size={14} />}
        loading={change.isPending}
        onClick={reindex}
      >
        <span className="p-wide">{words.reindex}</span>
      </Button>
      <FileButton onChange={replace} inputProps={{ 'aria-label': words.replace }}>
        {({ onClick }) => <button type="button" hidden ref={chooser} onClick={onClick} />}
      </FileButton>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size="xs" variant="default" aria-label={words.actions}>
            <Icon of={Ellipsis} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {(origin === 'text' || document.content_type?.startsWith('text/') === true) && (
            <Menu.Item leftSection={<Icon of={Pencil} size={14} />} onClick={() => setEditing(true)}>
              {words.edit}
            </Menu.Item>
          )}
          {origin === 'page' && url !== null && (
            <Menu.Item
              leftSection={<Icon of={Globe} size={14} />}
              onClick={() => fetchAgain.mutate({ url, title, audience }, { onError: tell })}
            >
              {words.fetch}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Icon of={Upload} size={14} />} onClick={() => chooser.current?.click()}>
            {words.replace}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            c="var(--p-red)"
            leftSection={<Icon of={Trash2} size={14} />}
            onClick={() => void deleteIt()}
          >
            {words.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Drawer
        opened={isEditing}
        onClose={() => setEditing(false)}
        position="right"
        size="lg"
        title={words.editTitle}
        className="p-drawer"
        attributes={{ header: { role: 'presentation' } }}
        overlayProps={{ backgroundOpacity: 0.35 }}
        closeButtonProps={{ 'aria-label': texts.frame.close }}
      >
        <EditText workspace={workspace} document={document} onClose={() => setEditing(false)} />
      </Drawer>
    </Group>
  );
}

interface EditTextProps extends DocumentActionsProps {
  readonly onClose: () => void;
}

function EditText({ workspace, document, onClose }: EditTextProps) {
  const { texts } = useTexts();
  const words = texts.knowledge.page;
  const { data } = useQuery(documentTextQuery(workspace, document.id, document.indexed_at));
  const [edited, setEdited] = useState<string | null>(null);
  const replace = useReplaceText(workspace, document.id);
  // The title is kept apart, so its heading is not part of what is edited.
  const stored = (data?.text ?? '').replace(`# ${document.title}\n\n`, '');
  const text = edited ?? stored;
  return (
    <Stack gap="lg">
      <Textarea
        label={texts.knowledge.paste.text}
        description={words.editHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autosize
        minRows={16}
        maxRows={30}
        value={text}
        onChange={({ currentTarget }) => setEdited(currentTarget.value)}
        error={text.trim() === '' && edited !== null && texts.parts.form.required}
        data-autofocus
      />
      {replace.isError && <FaultLine>{toProblem(replace.error).message}</FaultLine>}
      <Group justify="flex-end" gap="sm">
        <Button variant="subtle" onClick={onClose}>
          {texts.parts.cancel}
        </Button>
        <Button
          loading={replace.isPending}
          disabled={edited === null || edited === stored || text.trim() === ''}
          onClick={() => replace.mutate(text, { onSuccess: onClose })}
        >
          {texts.parts.save}
        </Button>
      </Group>
    </Stack>
  );
}
