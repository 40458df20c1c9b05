import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import {
  changeKey,
  createKey,
  type Key,
  type KeyFields,
  type KeyRights,
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
import { NewKey } from './new-key.tsx';

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

interface MadeKey {
  readonly name: string;
  readonly value: string;
  /** Whether the key can ask the question of the example. */
  readonly asks: boolean;
}

function KeyList() {
  const { texts } = useTexts();
  const words = texts.settings.keys;
  const id = useWorkspaceId();
  const client = useQueryClient();
  const search: Opened = useSearch({ strict: false });
  const open = useOpened();
  const showsRevoked = search.revoked !== undefined;
  const query = useQuery(keysQuery(id, showsRevoked));
  const [made, setMade] = useState<MadeKey | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['keys', id] });
  const close = () => open(showsRevoked ? { revoked: '1' } : {});
  const create = useMutation({
    mutationFn: (fields: KeyFields & KeyRights) => createKey(id, fields),
    onSuccess: ({ name, key, scopes }) => {
      setMade({ name, value: key, asks: scopes.includes('query') });
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
          {made.asks && <KeyExample apiKey={made.value} />}
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
        <NewKey onSubmit={(fields) => create.mutate(fields)} isBusy={create.isPending} error={create.error} />
      </SideDrawer>
      <SideDrawer opened={edited !== undefined} title={words.editTitle(edited?.name ?? '')} onClose={close}>
        {edited !== undefined && (
          <KeyForm
            value={edited}
            submitLabel={texts.parts.save}
            onSubmit={({ name, rate_limit_minute, rate_limit_day, allowed_networks, expires_at }) =>
              change.mutate({
                key: edited,
                fields: { name, rate_limit_minute, rate_limit_day, allowed_networks, expires_at },
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
          const asks = rotated?.scopes.includes('query') === true;
          setMade({ name: words.rotated(rotated?.name ?? ''), value: key, asks });
          close();
          void refresh();
        }}
        onClose={close}
      />
    </Stack>
  );
}
