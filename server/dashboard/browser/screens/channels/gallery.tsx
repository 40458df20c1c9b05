import { Button, Group, Kbd, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { answer, api } from '../../api/client.ts';
import {
  type Channel,
  type ChannelState,
  channelStatesQuery,
  channelsQuery,
  publicAgentQuery,
} from '../../api/queries/channels.ts';
import { useMay, useWorkspace } from '../../api/queries/workspace.ts';
import { Plus, RadioTower, RefreshCw } from '../../icons.ts';
import { keySigns, useKeyActions } from '../../keys/registry.ts';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { StatusPill } from '../../parts/pills.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { kindName, useTexts } from '../../texts/texts.tsx';
import { ApiCard } from './cards/api-card.tsx';
import { ChannelCard } from './cards/channel-card.tsx';
import { KindTile } from './cards/kind-tile.tsx';
import { useChannelKinds } from './use-channel-kinds.ts';
import './channels.css';

/** The ill ones first, then what is not proven. */
const order = ['refused', 'stale', 'unproven', 'live', 'off'];

/** All channels of the workspace with their state, and the kinds that can be added. */
export function Gallery() {
  const { texts } = useTexts();
  const words = texts.channels;
  const workspace = useWorkspace()?.id ?? '';
  const mayChange = useMay('channels:write');
  const listed = useQuery(channelsQuery(workspace));
  const states = useQuery(channelStatesQuery(workspace));
  const shown = useMemo(
    () => sortByState(listed.data?.channels ?? [], states.data?.states ?? []),
    [listed.data, states.data],
  );
  const error = listed.error ?? states.error;
  const isReady = listed.data !== undefined && states.data !== undefined;
  const actions = useMemo(
    () =>
      mayChange
        ? [{ id: 'channels.add', name: words.add, keys: 'c', scope: 'here' as const, run: goToKinds }]
        : [],
    [mayChange, words],
  );
  useKeyActions(actions);
  const live = shown.filter(({ state }) => state?.state === 'live').length;
  return (
    <Page
      title={words.title}
      {...(isReady && { intro: words.connected(live) })}
      {...(mayChange && {
        action: (
          <Group gap="sm" wrap="nowrap">
            <CheckAll workspace={workspace} channels={listed.data?.channels ?? []} />
            <Button
              size="xs"
              leftSection={<Icon of={Plus} />}
              rightSection={
                <Kbd aria-hidden="true" className="p-wide-only">
                  {keySigns('c')[0]}
                </Kbd>
              }
              onClick={goToKinds}
            >
              {words.add}
            </Button>
          </Group>
        ),
      })}
    >
      {error !== null && !isReady ? (
        <ErrorState
          error={error}
          onRetry={() => {
            void listed.refetch();
            void states.refetch();
          }}
        />
      ) : !isReady ? (
        <Skeletons rows={4} height={128} tile />
      ) : (
        <section aria-labelledby="channels-own">
          <Group gap="sm" mb="md" mt="sm">
            <Title order={2} id="channels-own">
              {words.own.title}
            </Title>
            <Text size="xs" c="dimmed">
              {words.own.hint}
            </Text>
          </Group>
          <div className="p-channels">
            {shown.map(({ channel, state }) => (
              <ChannelCard key={channel.id} channel={channel} state={state} />
            ))}
            <ApiCard talk={states.data.api} />
          </div>
        </section>
      )}
      <Kinds workspace={workspace} mayChange={mayChange} />
    </Page>
  );
}

function goToKinds(): void {
  document.querySelector<HTMLElement>('#add a, #add button')?.focus();
}

interface Shown {
  readonly channel: Channel;
  readonly state: ChannelState | undefined;
}

function sortByState(channels: readonly Channel[], states: readonly ChannelState[]): readonly Shown[] {
  const byId = new Map(states.map((state) => [state.channel_id, state]));
  const rank = ({ state }: Shown) => order.indexOf(state?.state ?? 'live');
  return channels
    .map((channel) => ({ channel, state: byId.get(channel.id) }))
    .toSorted((one, other) => rank(one) - rank(other));
}

interface CheckAllProps {
  readonly workspace: string;
  readonly channels: readonly Channel[];
}

function CheckAll({ workspace, channels }: CheckAllProps) {
  const { texts } = useTexts();
  const client = useQueryClient();
  const check = useMutation({
    mutationFn: async () => {
      // One after the other: each asks a platform.
      for (const { id } of channels) {
        await answer(
          api.POST('/admin/v1/workspaces/{workspace_id}/channels/{chan_id}/check', {
            params: { path: { workspace_id: workspace, chan_id: id } },
          }),
        );
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['channels', workspace] }),
  });
  if (channels.length === 0) return null;
  return (
    <Button
      variant="default"
      size="xs"
      className="p-wide-only"
      leftSection={<Icon of={RefreshCw} />}
      loading={check.isPending}
      onClick={() => check.mutate()}
    >
      {texts.channels.checkAll}
    </Button>
  );
}

function Kinds({ workspace, mayChange }: { readonly workspace: string; readonly mayChange: boolean }) {
  const { texts, language } = useTexts();
  const words = texts.channels;
  const { data, error, refetch } = useChannelKinds();
  const kinds = (data?.kinds ?? []).filter(({ kind }) => kind !== 'api');
  return (
    <section aria-labelledby="channels-another" id="add">
      <Group gap="sm" mb="md" mt="xl">
        <Title order={2} id="channels-another">
          {words.another.title}
        </Title>
        <Text size="xs" c="dimmed">
          {mayChange ? words.another.hint : words.another.onlyOwners}
        </Text>
      </Group>
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      <div className="p-channels">
        {kinds.map(({ kind, summary }) => {
          const name = kindName(kind, texts);
          return (
            <div key={kind} className="p-card p-channel-add">
              <KindTile kind={kind} />
              <div className="p-channel-names">
                <Text fw={600}>{name}</Text>
                <Text size="xs" c="var(--p-text-2)">
                  {summary[language]}
                </Text>
              </div>
              {mayChange && (
                <Button
                  component={Link}
                  to={`/w/${workspace}/channels/new/${kind}`}
                  variant="default"
                  aria-label={words.another.addKind(name)}
                >
                  {words.another.add}
                </Button>
              )}
            </div>
          );
        })}
        <PublicAgentCard workspace={workspace} />
      </div>
    </section>
  );
}

function PublicAgentCard({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  const words = texts.channels;
  const { data } = useQuery(publicAgentQuery(workspace));
  const isOn = data?.settings.nlweb_enabled === true || data?.settings.mcp_enabled === true;
  return (
    <div className="p-card p-channel-add">
      <span className="p-kind-tile">
        <Icon of={RadioTower} size={18} />
      </span>
      <div className="p-channel-names">
        <Link to={`/w/${workspace}/channels/public-agent`} className="p-channel-link">
          {words.publicAgent.name}
        </Link>
        <Text size="xs" c="var(--p-text-2)">
          {words.publicAgent.about}
        </Text>
      </div>
      {data !== undefined && (
        <StatusPill tone={isOn ? 'green' : 'grey'}>{isOn ? words.on : words.off}</StatusPill>
      )}
    </div>
  );
}
