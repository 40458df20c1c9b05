import { Group, Kbd, useMantineColorScheme } from '@mantine/core';
import {
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
  spotlight,
} from '@mantine/spotlight';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type Theme, useChangeMe, useMe } from '../api/queries/me.ts';
import { useMayCreateWorkspaces, useNearestWorkspace } from '../api/queries/workspace.ts';
import { signOut } from '../api/sign-in.ts';
import { openAsk } from '../ask/open-ask.ts';
import {
  Building2,
  LogOut,
  MessageSquareQuote,
  Monitor,
  Moon,
  Plus,
  Search,
  Settings2,
  Sun,
  UserRound,
} from '../icons.ts';
import { type KeyAction, keySigns, useKeyActions, useOfferedActions } from '../keys/registry.ts';
import { Icon } from '../parts/icon.tsx';
import { settingsGroups } from '../screens/settings/pages.ts';
import { useTexts } from '../texts/texts.tsx';
import { areas, operationsArea } from './areas.ts';
import { useInboxCommands } from './found-conversations.tsx';
import { pathInWorkspace } from './workspace-path.ts';
import { MANY, MOST_LISTED } from './workspace-switch.tsx';

const themeIcons = { auto: Monitor, light: Sun, dark: Moon } as const;
const themes: readonly Theme[] = ['auto', 'light', 'dark'];

/** Everything by name, opened by Ctrl K or ⌘ K. */
export function CommandMenu() {
  const { texts } = useTexts();
  const words = texts.frame.command;
  const [typed, setTyped] = useState('');
  const groups = useCommandGroups(typed);
  return (
    <Spotlight
      actions={groups}
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      highlightQuery
      scrollable
      maxHeight={440}
      size={640}
      yOffset={112}
      centered={false}
      overlayProps={{ blur: 0, backgroundOpacity: 0.35 }}
      nothingFound={words.nothing}
      attributes={{ content: { 'aria-label': words.title } }}
      className="p-command"
      searchProps={{
        leftSection: <Icon of={Search} />,
        placeholder: words.placeholder,
        'aria-label': words.placeholder,
      }}
    />
  );
}

function useCommandGroups(typed: string): SpotlightActionGroupData[] {
  const { texts } = useTexts();
  const words = texts.frame.command;
  const navigate = useNavigate();
  const { workspaces, permissions } = useMe();
  const current = useNearestWorkspace();
  const mayCreate = useMayCreateWorkspaces();
  const { pathname } = useLocation();
  const change = useChangeMe();
  const { setColorScheme } = useMantineColorScheme();
  const goTo = useMemo<readonly KeyAction[]>(
    () =>
      areas
        .filter(
          ({ permission }) => permissions.includes(permission) || current?.permissions.includes(permission),
        )
        .flatMap(({ id, path, letter }) =>
          current === null
            ? []
            : [
                {
                  id: `go-${id}`,
                  name: texts.frame.areas[id],
                  keys: `g ${letter}`,
                  scope: 'everywhere' as const,
                  run: () => void navigate({ to: `/w/${current.id}/${path}` }),
                },
              ],
        ),
    [texts, navigate, current, permissions],
  );
  const goToOperations = useMemo<readonly KeyAction[]>(() => {
    const { id, path, letter, permission } = operationsArea;
    if (!permissions.includes(permission)) return [];
    const run = () => void navigate({ to: path });
    return [{ id: `go-${id}`, name: texts.frame.areas[id], keys: `g ${letter}`, scope: 'everywhere', run }];
  }, [texts, navigate, permissions]);
  const open = useMemo<readonly KeyAction[]>(
    () => [{ id: 'command', name: words.title, keys: 'mod+k', scope: 'everywhere', run: spotlight.toggle }],
    [words],
  );
  useKeyActions(goTo);
  useKeyActions(goToOperations);
  useKeyActions(open);
  const offered = useOfferedActions();
  const here = offered.filter(({ scope }) => scope === 'here');
  const inbox = useInboxCommands(typed);
  const groups: SpotlightActionGroupData[] = [
    { group: words.here, actions: here.map((action) => toCommand(action)) },
    {
      group: words.goTo,
      actions: [
        ...goTo.map((action, position) => ({ ...toCommand(action), leftSection: areaIcon(position, goTo) })),
        ...goToOperations.map((action) => ({
          ...toCommand(action),
          leftSection: <Icon of={operationsArea.icon} />,
        })),
        ...inbox.views,
        {
          id: 'me',
          label: texts.frame.me.profile,
          leftSection: <Icon of={UserRound} />,
          onClick: () => void navigate({ to: '/me' }),
        },
      ],
    },
    {
      group: texts.frame.areas.settings,
      actions: settingsGroups
        .flatMap(({ pages }) => pages)
        .filter(({ permission }) => current?.permissions.includes(permission) === true)
        .map(({ id }) => ({
          id: `settings-${id}`,
          label: texts.settings.names[id],
          leftSection: <Icon of={Settings2} />,
          onClick: () => void navigate({ to: `/w/${current?.id}/settings/${id}` }),
        })),
    },
    {
      group: words.workspaces,
      actions: workspaces
        .filter(({ id, name }) => id !== current?.id && (workspaces.length <= MANY || isTyped(name, typed)))
        .slice(0, MOST_LISTED)
        .map(({ id, name }) => ({
          id: `workspace-${id}`,
          label: name,
          leftSection: <Icon of={Building2} />,
          onClick: () => void navigate({ to: pathInWorkspace(pathname, id, 'knowledge/documents') }),
        })),
    },
    {
      group: words.doIt,
      actions: [
        ...(offered.some(({ id }) => id === 'ask')
          ? [
              {
                id: 'ask',
                label: texts.evaluation.ask.open,
                leftSection: <Icon of={MessageSquareQuote} />,
                onClick: () => openAsk(),
              },
            ]
          : []),
        ...(mayCreate
          ? [
              {
                id: 'new-workspace',
                label: texts.frame.newWorkspace,
                leftSection: <Icon of={Plus} />,
                onClick: () => void navigate({ to: '/new-workspace' }),
              },
            ]
          : []),
        ...themes.map((theme) => ({
          id: `theme-${theme}`,
          label: words.themeIs(texts.frame.me[theme]),
          leftSection: <Icon of={themeIcons[theme]} />,
          onClick: () => {
            setColorScheme(theme);
            change.mutate({ theme });
          },
        })),
        {
          id: 'sign-out',
          label: texts.frame.me.signOut,
          leftSection: <Icon of={LogOut} />,
          onClick: () => void signOut(),
        },
      ],
    },
    { group: texts.inbox.command, actions: inbox.conversations },
  ];
  return groups.filter(({ actions }) => actions.length > 0);
}

function isTyped(name: string, typed: string): boolean {
  return typed.trim() !== '' && name.toLowerCase().includes(typed.trim().toLowerCase());
}

function toCommand({ id, name, keys, run }: KeyAction): SpotlightActionData {
  return {
    id,
    label: name,
    onClick: run,
    ...(keys !== undefined && {
      rightSection: (
        <Group gap={4} wrap="nowrap">
          {keySigns(keys).map((sign) => (
            <Kbd key={sign}>{sign}</Kbd>
          ))}
        </Group>
      ),
    }),
  };
}

function areaIcon(position: number, goTo: readonly KeyAction[]) {
  const area = areas.find(({ id }) => `go-${id}` === goTo[position]?.id);
  return area === undefined ? null : <Icon of={area.icon} />;
}
