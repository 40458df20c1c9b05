import { Button, Group, Switch, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useParams } from '@tanstack/react-router';
import type { ChannelKind } from '../../../api/kinds.ts';
import { type ChannelChecks, checksQuery, useChangeChannel } from '../../../api/queries/channels.ts';
import { useMay, useWorkspace } from '../../../api/queries/workspace.ts';
import { ExternalLink } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Page } from '../../../parts/page.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { NoRight } from '../../../parts/states/no-right.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { kindName, useTexts } from '../../../texts/texts.tsx';
import { StatePill } from '../cards/state-pill.tsx';
import { useChannelKinds } from '../use-channel-kinds.ts';
import { ChannelCredentials } from './channel-credentials.tsx';
import { ChannelOverview } from './channel-overview.tsx';
import { ChannelSettings } from './channel-settings.tsx';
import { RemoveChannel } from './remove-channel.tsx';
import '../channels.css';

const tabs = ['overview', 'settings', 'credentials', 'remove'] as const;

/** One channel: whether it works and what came of its messages, its settings, its credentials. */
export function ChannelPage() {
  const { texts } = useTexts();
  const workspace = useWorkspace()?.id ?? '';
  const { channel: id = '' } = useParams({ strict: false });
  const kinds = useChannelKinds();
  const { data, error, refetch } = useQuery(checksQuery({ workspace, channel: id }));
  const kind = kinds.data?.kinds.find((each) => each.kind === data?.channel.channel);
  if (data !== undefined && kind !== undefined) return <ChannelOf checks={data} kind={kind} />;
  const failure = error ?? kinds.error;
  return (
    <Page title={texts.channels.title}>
      {failure === null ? (
        <Skeletons rows={5} height={64} tile />
      ) : (
        <ErrorState
          error={failure}
          onRetry={() => {
            void refetch();
            void kinds.refetch();
          }}
        />
      )}
    </Page>
  );
}

interface ChannelOfProps {
  readonly checks: ChannelChecks;
  readonly kind: ChannelKind;
}

function ChannelOf({ checks, kind }: ChannelOfProps) {
  const { texts } = useTexts();
  const words = texts.channels.page;
  const workspace = useWorkspace()?.id ?? '';
  const mayChange = useMay('channels:write');
  const navigate = useNavigate();
  const { pathname, searchStr } = useLocation();
  const wanted = new URLSearchParams(searchStr).get('tab');
  const tab = tabs.find((each) => each === wanted) ?? 'overview';
  const { channel, state } = checks;
  const change = useChangeChannel({ workspace, channel: channel.id });
  const name = kindName(channel.channel, texts);
  return (
    <Page
      title={channel.name}
      intro={
        <Group component="span" gap="sm">
          <Text span size="xs" c="var(--p-text-2)">
            {channel.handle === null ? name : `${name} · ${channel.handle}`}
          </Text>
          <StatePill state={state} />
        </Group>
      }
      action={
        <Group gap="md" wrap="nowrap">
          {kind.facets.includes('own_chat') && (
            // A page with a frame has a policy of its own, so it is loaded anew.
            <Button
              component="a"
              href={`/dashboard/w/${workspace}/channels/${channel.id}/studio`}
              variant="default"
              leftSection={<Icon of={ExternalLink} size={14} />}
            >
              {words.studio}
            </Button>
          )}
          {mayChange && (
            <Switch
              label={channel.enabled ? texts.channels.on : texts.channels.off}
              aria-label={texts.channels.wizard.on.label}
              color="petrol"
              checked={channel.enabled}
              disabled={change.isPending}
              onChange={(event) => change.mutate({ enabled: event.currentTarget.checked })}
            />
          )}
        </Group>
      }
      below={
        <Tabs
          value={tab}
          onChange={(next) => void navigate({ to: pathname, search: next === null ? {} : { tab: next } })}
        >
          <Tabs.List aria-label={words.tabsLabel}>
            {tabs.map((each) => (
              <Tabs.Tab key={each} value={each}>
                {words.tabs[each]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
      }
      width={tab === 'overview' ? 'full' : 'narrow'}
    >
      {tab === 'overview' && <ChannelOverview checks={checks} kind={kind} />}
      {tab !== 'overview' && !mayChange && <NoRight />}
      {tab === 'settings' && mayChange && <ChannelSettings channel={channel} kind={kind} />}
      {tab === 'credentials' && mayChange && <ChannelCredentials channel={channel} kind={kind} />}
      {tab === 'remove' && mayChange && <RemoveChannel channel={channel} />}
    </Page>
  );
}
