import { useQuery } from '@tanstack/react-query';
import { channelsQuery } from '../../api/queries/channels.ts';
import { countEnd, countsQuery, viewsQuery } from '../../api/queries/inbox.ts';
import { keysQuery } from '../../api/queries/keys.ts';
import { membersQuery } from '../../api/queries/members.ts';
import { settingsSchemaQuery } from '../../api/queries/settings.ts';
import { webhooksQuery } from '../../api/queries/webhooks.ts';
import { useMay, useNearestWorkspace } from '../../api/queries/workspace.ts';
import { Inbox, KeyRound, Settings2, Users, Webhook } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { KindIcon } from '../../screens/channels/cards/kind-icon.tsx';
import { builtInViews, writePlace } from '../../screens/inbox/views/address.ts';
import { kindName, useTexts } from '../../texts/texts.tsx';
import type { Command } from './command.ts';
import { useCommandWords } from './command-words.ts';
import { listSettings } from './list-settings.ts';
import { KEPT_MS, type Part } from './use-searched.tsx';

/** Lists the things of which a workspace has few: they are read once the person types, and found here. */
export function useListed(isTyped: boolean): Part {
  const { texts } = useTexts();
  const words = useCommandWords();
  const workspace = useNearestWorkspace()?.id ?? '';
  const isOn = isTyped && workspace !== '';
  const may = {
    settings: useMay('workspace:read'),
    identity: useMay('workspace:write'),
    people: useMay('people:read'),
    channels: useMay('channels:read'),
    developers: useMay('developers:read'),
  };
  const kept = { staleTime: KEPT_MS, refetchInterval: false as const };
  const schema = useQuery({ ...settingsSchemaQuery(workspace), enabled: isOn && may.settings });
  const members = useQuery({ ...membersQuery(workspace), ...kept, enabled: isOn && may.people });
  const channels = useQuery({ ...channelsQuery(workspace), ...kept, enabled: isOn && may.channels });
  const keys = useQuery({ ...keysQuery(workspace, false), ...kept, enabled: isOn && may.developers });
  const hooks = useQuery({ ...webhooksQuery(workspace), ...kept, enabled: isOn && may.developers });
  const root = `/w/${workspace}`;
  const settings = may.settings && schema.data !== undefined ? schema.data : null;
  return {
    queries: [
      { name: 'settings', query: schema },
      { name: 'people', query: members },
      { name: 'channels', query: channels },
      { name: 'developers', query: keys },
      { name: 'developers', query: hooks },
    ],
    commands: [
      ...useInboxViews(),
      ...(settings === null ? [] : listSettings(settings, { texts, words, mayChange: may.identity })).map(
        ({ path, ...setting }) => ({ ...setting, icon: <Icon of={Settings2} />, to: `${root}/${path}` }),
      ),
      ...(may.people ? (members.data ?? []) : []).map(({ id, name, email, role }) => ({
        id: `member-${id}`,
        group: 'people' as const,
        label: name,
        description: email,
        icon: <Icon of={Users} />,
        count: texts.people.roles[role],
        to: `${root}/settings/people?member=${id}`,
      })),
      ...(may.channels ? (channels.data?.channels ?? []) : []).map(({ id, name, channel: kind }) => ({
        id: `channel-${id}`,
        group: 'channels' as const,
        label: name,
        keywords: `${kindName(kind, texts)} ${id}`,
        description: kindName(kind, texts) === name ? '' : kindName(kind, texts),
        icon: <KindIcon kind={kind} />,
        to: `${root}/channels/${id}`,
      })),
      ...(may.developers ? (keys.data?.keys ?? []) : []).map(({ id, name, ending }) => ({
        id: `key-${id}`,
        group: 'developers' as const,
        label: name,
        description: `${words.key} …${ending}`,
        icon: <Icon of={KeyRound} />,
        to: `${root}/settings/keys?edit=${id}`,
      })),
      ...(may.developers ? (hooks.data?.webhooks ?? []) : []).map(({ id, url }) => ({
        id: `webhook-${id}`,
        group: 'developers' as const,
        label: url,
        description: words.webhook,
        icon: <Icon of={Webhook} />,
        to: `${root}/settings/webhooks/${id}`,
      })),
    ],
  };
}

/** The views of the inbox with what waits in them. */
function useInboxViews(): readonly Command[] {
  const { texts } = useTexts();
  const words = texts.inbox;
  const workspace = useNearestWorkspace()?.id ?? '';
  const mayRead = useMay('inbox:read') && workspace !== '';
  const { data: counts } = useQuery({ ...countsQuery(workspace), enabled: mayRead });
  const { data: saved = [] } = useQuery({ ...viewsQuery(workspace), enabled: mayRead });
  if (!mayRead) return [];
  const toView = (id: string, name: string, count: number, search: Record<string, string>): Command => ({
    id: `inbox-view-${id}`,
    group: 'goTo',
    label: `${texts.frame.areas.inbox}, ${name}`,
    icon: <Icon of={Inbox} />,
    count: count > 0 ? words.count(count, countEnd(id)) : undefined,
    to: `/w/${workspace}/inbox?${new URLSearchParams(search)}`,
  });
  return [
    ...builtInViews.map((view) => toView(view, words.views[view], counts?.views[view] ?? 0, { view })),
    ...saved.map(({ id, name, filters, sort }) =>
      toView(id, name, counts?.saved[id] ?? 0, writePlace({ filters, sort, saved: id })),
    ),
  ];
}
