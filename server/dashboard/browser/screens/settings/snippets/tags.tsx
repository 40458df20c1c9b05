import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { removeTag, renameTag, restoreTag, tagsQuery } from '../../../api/queries/snippets.ts';
import { useMay, useWorkspaceId } from '../../../api/queries/workspace.ts';
import { Tags, Trash2, TriangleAlert } from '../../../icons.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Page } from '../../../parts/page.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { NoRight } from '../../../parts/states/no-right.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useUndoable } from '../../../undo/use-undoable.ts';
import { SideDrawer } from '../drawers/side-drawer.tsx';

interface TagCount {
  readonly tag: string;
  readonly conversations: number;
  readonly open: number;
}

/** The tags of conversations with their counts: renamed, or merged by the name of another one. */
export function TagsPage() {
  const { texts, language } = useTexts();
  const words = texts.settings.tags;
  const id = useWorkspaceId();
  const mayRead = useMay('inbox:read');
  const mayWrite = useMay('workspace:write');
  const navigate = useNavigate();
  const search: { readonly rename?: string } = useSearch({ strict: false });
  const path = `/w/${id}/settings/tags`;
  const query = useQuery({ ...tagsQuery(id), enabled: mayRead });
  const tags = query.data?.tags ?? [];
  const number = new Intl.NumberFormat(language);
  const close = () => void navigate({ to: path, search: {} });
  const client = useQueryClient();
  const remove = useUndoable({
    act: (tag: string) => removeTag(id, tag),
    undo: (tag) => restoreTag(id, tag),
    done: (tag) => words.removed(tag),
    refresh: () => client.invalidateQueries({ queryKey: ['tags', id] }),
  });
  const columns: readonly Column<TagCount>[] = [
    { key: 'tag', title: words.tag, cell: ({ tag }) => <span className="p-tag">{tag}</span> },
    {
      key: 'conversations',
      title: words.conversations,
      align: 'end',
      width: 140,
      cell: ({ conversations }) => number.format(conversations),
    },
    { key: 'open', title: words.open, align: 'end', width: 100, cell: ({ open }) => number.format(open) },
    {
      key: 'actions',
      title: texts.parts.table.actions,
      align: 'end',
      width: 160,
      cell: ({ tag }) =>
        mayWrite && (
          <Group gap={6} wrap="nowrap" justify="flex-end">
            <Button
              variant="default"
              size="xs"
              aria-label={words.renameTitle(tag)}
              onClick={() => void navigate({ to: path, search: { rename: tag } })}
            >
              {words.rename}
            </Button>
            <ActionIcon size="xs" aria-label={words.removeTitle(tag)} onClick={() => remove.mutate(tag)}>
              <Icon of={Trash2} size={14} />
            </ActionIcon>
          </Group>
        ),
    },
  ];
  return (
    <Page title={texts.settings.names.tags} intro={texts.settings.about.tags}>
      {!mayRead && <NoRight detail={texts.settings.snippets.right} />}
      {mayRead && query.isPending && <Skeletons rows={4} />}
      {query.error !== null && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {remove.error !== null && <ErrorState error={remove.error} />}
      {query.data !== undefined && tags.length === 0 && (
        <EmptyState icon={Tags} title={words.empty} text={words.emptyText} />
      )}
      {tags.length > 0 && (
        <DataTable
          label={words.table}
          columns={columns}
          rows={tags}
          rowKey={({ tag }) => tag}
          minWidth={480}
        />
      )}
      <SideDrawer
        opened={search.rename !== undefined && mayWrite}
        title={words.renameTitle(search.rename ?? '')}
        onClose={close}
      >
        {search.rename !== undefined && <RenameForm from={search.rename} tags={tags} onDone={close} />}
      </SideDrawer>
    </Page>
  );
}

interface RenameFormProps {
  readonly from: string;
  readonly tags: readonly TagCount[];
  readonly onDone: () => void;
}

function RenameForm({ from, tags, onDone }: RenameFormProps) {
  const { texts } = useTexts();
  const words = texts.settings.tags;
  const id = useWorkspaceId();
  const client = useQueryClient();
  const [to, setTo] = useState(from);
  const name = to.trim();
  const other = tags.find(({ tag }) => tag === name && tag !== from);
  const rename = useMutation({
    mutationFn: () => renameTag(id, from, name),
    onSuccess: () => {
      onDone();
      return client.invalidateQueries({ queryKey: ['tags', id] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <TextInput
          label={words.to}
          data-autofocus
          required
          withAsterisk={false}
          maxLength={64}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <div role="status">
          {other !== undefined && (
            <Group gap={6} wrap="nowrap" c="var(--p-amber)" align="flex-start">
              <Icon of={TriangleAlert} size={14} />
              <Text size="xs">{words.merges(other.tag, other.conversations)}</Text>
            </Group>
          )}
        </div>
        {rename.error !== null && <FaultLine>{toProblem(rename.error).message}</FaultLine>}
        <div>
          <Button type="submit" loading={rename.isPending} disabled={name === '' || name === from}>
            {other === undefined ? words.submit : words.merge}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
