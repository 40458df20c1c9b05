import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import {
  changeSnippet,
  createSnippet,
  deleteSnippet,
  restoreSnippet,
  type Snippet,
  type SnippetFields,
  snippetsQuery,
} from '../../../api/queries/snippets.ts';
import { useMay, useWorkspaceId } from '../../../api/queries/workspace.ts';
import { Plus, TextQuote, Trash2 } from '../../../icons.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Page } from '../../../parts/page.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { NoRight } from '../../../parts/states/no-right.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useUndoable } from '../../../undo/use-undoable.ts';
import { SideDrawer } from '../drawers/side-drawer.tsx';
import { SnippetForm } from './snippet-form.tsx';

interface Opened {
  readonly new?: string | undefined;
  readonly edit?: string | undefined;
}

const newSnippet: SnippetFields = { name: '', text: '', tags: [], actions: {} };

/** Texts that agents insert by their name. Agents read them; owners write them. */
export function Snippets() {
  const { texts } = useTexts();
  const words = texts.settings.snippets;
  const id = useWorkspaceId();
  const mayRead = useMay('inbox:read');
  const mayWrite = useMay('workspace:write');
  const client = useQueryClient();
  const navigate = useNavigate();
  const search: Opened = useSearch({ strict: false });
  const path = `/w/${id}/settings/snippets`;
  const open = (next: Opened) => void navigate({ to: path, search: { ...next } });
  const query = useQuery({ ...snippetsQuery(id), enabled: mayRead });
  const refresh = () => client.invalidateQueries({ queryKey: ['snippets', id] });
  const done = () => {
    open({});
    return refresh();
  };
  const create = useMutation({
    mutationFn: (fields: SnippetFields) => createSnippet(id, fields),
    onSuccess: done,
  });
  const change = useMutation({
    mutationFn: ({ key, fields }: { readonly key: string; readonly fields: SnippetFields }) =>
      changeSnippet(id, key, fields),
    onSuccess: done,
  });
  const remove = useUndoable({
    act: (snippet: Snippet) => deleteSnippet(id, snippet.id),
    undo: (snippet) => restoreSnippet(id, snippet.id),
    done: ({ name }) => words.deleted(name),
    refresh,
  });
  const snippets = query.data?.snippets ?? [];
  const edited = snippets.find((each) => each.id === search.edit);
  const columns: readonly Column<Snippet>[] = [
    { key: 'name', title: words.name, width: 180, cell: ({ name }) => name },
    {
      key: 'text',
      title: words.text,
      cell: ({ text, tags }) => (
        <Group gap={6} wrap="nowrap">
          <Text size="xs" lineClamp={1} title={text}>
            {text}
          </Text>
          {tags.map((tag) => (
            <span key={tag} className="p-tag">
              {tag}
            </span>
          ))}
        </Group>
      ),
    },
    { key: 'by', title: words.by, width: 120, cell: (snippet) => snippet.created_by },
    { key: 'at', title: words.changed, width: 120, cell: ({ updated_at: at }) => <TimeAgo at={at} /> },
    {
      key: 'actions',
      title: texts.parts.table.actions,
      align: 'end',
      width: 80,
      cell: (snippet) =>
        mayWrite && (
          <ActionIcon
            size="xs"
            aria-label={`${texts.settings.delete}: ${snippet.name}`}
            onClick={() => remove.mutate(snippet)}
          >
            <Icon of={Trash2} size={14} />
          </ActionIcon>
        ),
    },
  ];
  const add = (
    <Button leftSection={<Icon of={Plus} size={14} />} onClick={() => open({ new: '1' })}>
      {words.create}
    </Button>
  );
  return (
    <Page
      title={texts.settings.names.snippets}
      intro={texts.settings.about.snippets}
      {...(mayWrite && { action: add })}
    >
      <Stack gap="lg" flex={1}>
        {!mayRead && <NoRight detail={words.right} />}
        {remove.error !== null && <ErrorState error={remove.error} />}
        {mayRead && query.isPending && <Skeletons rows={4} />}
        {query.error !== null && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {query.data !== undefined && snippets.length === 0 && (
          <EmptyState icon={TextQuote} title={words.empty} text={words.emptyText} />
        )}
        {snippets.length > 0 && (
          <DataTable
            label={words.table}
            columns={columns}
            rows={snippets}
            rowKey={(snippet) => snippet.id}
            minWidth={720}
            {...(mayWrite && { rowLink: (snippet: Snippet) => `${path}?edit=${snippet.id}` })}
          />
        )}
      </Stack>
      <SideDrawer opened={search.new !== undefined} title={words.newTitle} onClose={() => open({})}>
        <SnippetForm
          value={newSnippet}
          isBusy={create.isPending}
          error={create.error}
          onSubmit={(fields) => create.mutate(fields)}
        />
      </SideDrawer>
      <SideDrawer
        opened={edited !== undefined}
        title={words.editTitle(edited?.name ?? '')}
        onClose={() => open({})}
      >
        {edited !== undefined && (
          <SnippetForm
            value={edited}
            isBusy={change.isPending}
            error={change.error}
            onSubmit={(fields) => change.mutate({ key: edited.id, fields })}
          />
        )}
      </SideDrawer>
    </Page>
  );
}
