import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import {
  changeKey,
  createKey,
  type Key,
  type KeyFields,
  keysQuery,
  restoreKey,
  revokeKey,
  rotateKey,
} from '../../../api/queries/keys.ts';
import { useMay, useWorkspaceId } from '../../../api/queries/workspace.ts';
import { KeyRound, Plus } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Page } from '../../../parts/page.tsx';
import { SecretOnce } from '../../../parts/secret-once.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { NoRight } from '../../../parts/states/no-right.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { toLink } from '../../../parts/to-link.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { useUndoable } from '../../../undo/use-undoable.ts';
import { RotateDrawer } from '../drawers/rotate-drawer.tsx';
import { SideDrawer } from '../drawers/side-drawer.tsx';
import { KeyExample } from './key-example.tsx';
import { KeyForm } from './key-form.tsx';
import { KeyTable } from './key-table.tsx';

/** The API keys: what each did in 30 days, a new one with a command that runs, rotation and revocation. */
export function Keys() {
  const { texts } = useTexts();
  const words = texts.settings;
  const may = useMay('developers:read');
  const open = useOpened();
  const title = words.names.keys;
  if (!may) {
    return (
      <Page title={title} intro={words.about.keys}>
        <NoRight detail={words.keys.right} />
      </Page>
    );
  }
  return (
    <Page
      title={title}
      intro={words.about.keys}
      action={
        <Button leftSection={<Icon of={Plus} size={14} />} onClick={() => open({ new: '1' })}>
          {words.keys.create}
        </Button>
      }
    >
      <KeyList />
    </Page>
  );
}

interface Opened {
  readonly new?: string | undefined;
  readonly edit?: string | undefined;
  readonly rotate?: string | undefined;
  readonly revoked?: string | undefined;
}

/** Opens a drawer by the address, so that “back” closes it. */
function useOpened() {
  const navigate = useNavigate();
  const path = `/w/${useWorkspaceId()}/settings/keys`;
  return (search: Opened) => void navigate({ to: path, search: { ...search } });
}

const newKey: KeyFields = { name: '', rate_limit_minute: 60, rate_limit_day: 1_000, expires_at: null };

function KeyList() {
  const { texts } = useTexts();
  const words = texts.settings.keys;
  const id = useWorkspaceId();
  const client = useQueryClient();
  const search: Opened = useSearch({ strict: false });
  const open = useOpened();
  const showsRevoked = search.revoked !== undefined;
  const query = useQuery(keysQuery(id, showsRevoked));
  const [made, setMade] = useState<{ readonly name: string; readonly value: string } | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['keys', id] });
  const close = () => open(showsRevoked ? { revoked: '1' } : {});
  const create = useMutation({
    mutationFn: (fields: KeyFields) => createKey(id, fields),
    onSuccess: ({ name, key }) => {
      setMade({ name, value: key });
      open({});
      return refresh();
    },
  });
  const change = useMutation({
    mutationFn: ({ key, fields }: { readonly key: Key; readonly fields: KeyFields }) =>
      changeKey(id, key.id, fields),
    onSuccess: () => {
      close();
      return refresh();
    },
  });
  const revoke = useUndoable({
    act: (key: Key) => revokeKey(id, key.id),
    undo: (key) => restoreKey(id, key.id),
    done: ({ name }) => words.revoked(name),
    refresh,
  });
  const keys = query.data?.keys ?? [];
  const edited = keys.find((key) => key.id === search.edit);
  const rotated = keys.find((key) => key.id === search.rotate);
  return (
    <Stack gap="xl">
      {made !== null && (
        <SecretOnce name={made.name} secret={made.value}>
          <KeyExample apiKey={made.value} />
        </SecretOnce>
      )}
      {revoke.error !== null && <ErrorState error={revoke.error} />}
      {query.isPending && <Skeletons rows={4} height={52} />}
      {query.error !== null && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined && keys.length === 0 && (
        <EmptyState
          icon={KeyRound}
          title={showsRevoked ? words.noRevoked : words.empty}
          {...(!showsRevoked && {
            text: words.emptyText,
            action: (
              <Button variant="default" onClick={() => open({ new: '1' })}>
                {words.create}
              </Button>
            ),
          })}
        />
      )}
      {keys.length > 0 && (
        <KeyTable
          keys={keys}
          onRotate={(key) => open({ rotate: key.id })}
          onEdit={(key) => open({ edit: key.id })}
          onRevoke={(key) => revoke.mutate(key)}
        />
      )}
      {query.data !== undefined && (
        <Text size="xs">
          <Link {...toLink(`/w/${id}/settings/keys${showsRevoked ? '' : '?revoked=1'}`)}>
            {showsRevoked ? words.showValid : words.showRevoked}
          </Link>
        </Text>
      )}
      <SideDrawer opened={search.new !== undefined} title={words.create} onClose={close}>
        <KeyForm
          value={newKey}
          submitLabel={words.create}
          onSubmit={(fields) => create.mutate(fields)}
          isBusy={create.isPending}
          error={create.error}
        />
      </SideDrawer>
      <SideDrawer opened={edited !== undefined} title={words.editTitle(edited?.name ?? '')} onClose={close}>
        {edited !== undefined && (
          <KeyForm
            value={edited}
            submitLabel={texts.parts.save}
            onSubmit={({ name, rate_limit_minute, rate_limit_day, expires_at }) =>
              change.mutate({
                key: edited,
                fields: { name, rate_limit_minute, rate_limit_day, expires_at },
              })
            }
            isBusy={change.isPending}
            error={change.error}
          />
        )}
      </SideDrawer>
      <RotateDrawer
        name={rotated?.name ?? null}
        rotate={(grace) => rotateKey(id, rotated?.id ?? '', grace)}
        onRotated={({ key }) => {
          setMade({ name: words.rotated(rotated?.name ?? ''), value: key });
          close();
          void refresh();
        }}
        onClose={close}
      />
    </Stack>
  );
}
