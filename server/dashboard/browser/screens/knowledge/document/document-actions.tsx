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
import { useMay } from '../../../api/queries/workspace.ts';
import { Ellipsis, Globe, NotebookPen, Pencil, RefreshCw, Trash2, Upload } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useStage } from '../changes/change-queries.ts';
import { useChangeWords } from '../changes/change-words.ts';
import { StageButton } from '../changes/stage-button.tsx';
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
  const changeWords = useChangeWords();
  const stage = useStage(workspace);
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
  const stageRemoval = () =>
    stage.mutate(
      { change: { kind: 'document_removed', document_id: id }, name: title },
      {
        onError: tell,
        onSuccess: (set) =>
          void navigate({ to: '/w/$workspace/knowledge/changes/$set', params: { workspace, set } }),
      },
    );
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
          <Menu.Item leftSection={<Icon of={NotebookPen} size={14} />} onClick={() => stageRemoval()}>
            {changeWords.stageRemoval}
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
      <EditDrawer
        workspace={workspace}
        document={document}
        isOpen={isEditing}
        onClose={() => setEditing(false)}
      />
    </Group>
  );
}

/** For people who may not change documents, but may stage changes of them. */
export function StageDocument({ workspace, document }: DocumentActionsProps) {
  const words = useChangeWords();
  const [isEditing, setEditing] = useState(false);
  if (document.status !== 'indexed') return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon of={NotebookPen} size={14} />}
        onClick={() => setEditing(true)}
      >
        {words.stageEdit}
      </Button>
      <EditDrawer
        workspace={workspace}
        document={document}
        isOpen={isEditing}
        onClose={() => setEditing(false)}
      />
    </>
  );
}

interface EditDrawerProps extends DocumentActionsProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function EditDrawer({ workspace, document, isOpen, onClose }: EditDrawerProps) {
  const { texts } = useTexts();
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="lg"
      title={texts.knowledge.page.editTitle}
      className="p-drawer"
      attributes={{ header: { role: 'presentation' } }}
      overlayProps={{ backgroundOpacity: 0.35 }}
      closeButtonProps={{ 'aria-label': texts.frame.close }}
    >
      <EditText workspace={workspace} document={document} onClose={onClose} />
    </Drawer>
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
  const isSame = edited === null || edited === stored || text.trim() === '';
  const may = useMay('knowledge:write');
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
        <StageButton
          workspace={workspace}
          change={isSame ? null : { kind: 'document_content', document_id: document.id, content: text }}
          name={document.title}
        />
        {may && (
          <Button
            loading={replace.isPending}
            disabled={isSame}
            onClick={() => replace.mutate(text, { onSuccess: onClose })}
          >
            {texts.parts.save}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
