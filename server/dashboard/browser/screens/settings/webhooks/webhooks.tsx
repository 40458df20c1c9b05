import { Button, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type Webhook as Hook, webhooksQuery } from '../../../api/queries/webhooks.ts';
import { useMay, useWorkspaceId } from '../../../api/queries/workspace.ts';
import { CircleCheck, Pause, Plus, Webhook } from '../../../icons.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Page } from '../../../parts/page.tsx';
import { StatusPill } from '../../../parts/pills.tsx';
import { SecretOnce } from '../../../parts/secret-once.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { NoRight } from '../../../parts/states/no-right.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { SideDrawer } from '../drawers/side-drawer.tsx';
import { WebhookForm } from './webhook-form.tsx';

/** The webhooks of the workspace, and a new one. */
export function Webhooks() {
  const { texts } = useTexts();
  const words = texts.settings;
  const may = useMay('developers:read');
  const navigate = useNavigate();
  const path = `/w/${useWorkspaceId()}/settings/webhooks`;
  const add = (
    <Button
      leftSection={<Icon of={Plus} size={14} />}
      onClick={() => void navigate({ to: path, search: { new: '1' } })}
    >
      {words.webhooks.create}
    </Button>
  );
  return (
    <Page title={words.names.webhooks} intro={words.about.webhooks} {...(may && { action: add })}>
      {may ? <WebhookList path={path} /> : <NoRight detail={words.webhooks.right} />}
    </Page>
  );
}

function WebhookList({ path }: { readonly path: string }) {
  const { texts } = useTexts();
  const words = texts.settings.webhooks;
  const id = useWorkspaceId();
  const client = useQueryClient();
  const navigate = useNavigate();
  const search: { readonly new?: string } = useSearch({ strict: false });
  const query = useQuery(webhooksQuery(id));
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => void navigate({ to: path, search: {} });
  const hooks = query.data?.webhooks ?? [];
  const columns: readonly Column<Hook>[] = [
    {
      key: 'url',
      title: words.url,
      cell: ({ url }) => (
        <span className="p-mono" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </span>
      ),
    },
    {
      key: 'events',
      title: words.events,
      cell: ({ events }) => (
        <Text size="xs" lineClamp={1} title={events.join(', ')}>
          {events.includes('*') ? words.all.split(',', 1)[0] : events.join(', ')}
        </Text>
      ),
    },
    { key: 'state', title: words.state, width: 100, cell: (hook) => <HookState hook={hook} /> },
    { key: 'created', title: words.created, width: 120, cell: ({ created_at: at }) => <TimeAgo at={at} /> },
  ];
  return (
    <Stack gap="xl">
      {secret !== null && <SecretOnce name={words.secretOf} secret={secret} />}
      {query.isPending && <Skeletons rows={3} />}
      {query.error !== null && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined && hooks.length === 0 && (
        <EmptyState icon={Webhook} title={words.empty} text={words.emptyText} />
      )}
      {hooks.length > 0 && (
        <DataTable
          label={words.table}
          columns={columns}
          rows={hooks}
          rowKey={(hook) => hook.id}
          rowLink={(hook) => `${path}/${hook.id}`}
        />
      )}
      <SideDrawer opened={search.new !== undefined} title={words.create} onClose={close}>
        <WebhookForm
          onCreated={(made) => {
            setSecret(made.secret);
            close();
            void client.invalidateQueries({ queryKey: ['webhooks', id] });
          }}
        />
      </SideDrawer>
    </Stack>
  );
}

function HookState({ hook }: { readonly hook: Hook }) {
  const { texts } = useTexts();
  const words = texts.settings.webhooks;
  return hook.enabled ? (
    <StatusPill tone="green" icon={CircleCheck}>
      {words.enabled}
    </StatusPill>
  ) : (
    <StatusPill tone="grey" icon={Pause}>
      {words.disabled}
    </StatusPill>
  );
}
