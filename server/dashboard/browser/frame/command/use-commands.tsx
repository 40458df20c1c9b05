import { useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useLocation } from '@tanstack/react-router';
import { type Theme, useChangeMe, useMe } from '../../api/queries/me.ts';
import { useMayCreateWorkspaces, useNearestWorkspace } from '../../api/queries/workspace.ts';
import { signOut } from '../../api/sign-in.ts';
import { openAsk } from '../../ask/open-ask.ts';
import {
  BookOpenText,
  Building2,
  Cable,
  Copy,
  FileText,
  type IconType,
  KeyRound,
  Languages,
  Link,
  LogOut,
  MessageSquareQuote,
  Monitor,
  Moon,
  Plus,
  Quote,
  RefreshCw,
  Settings2,
  Sun,
  TextQuote,
  UserPlus,
  UserRound,
  Webhook,
  Wrench,
} from '../../icons.ts';
import { type KeyAction, useOfferedActions } from '../../keys/registry.ts';
import { Icon } from '../../parts/icon.tsx';
import { settingsGroups } from '../../screens/settings/pages.ts';
import { languages } from '../../texts/common-texts.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { areas, operationsArea } from '../areas.ts';
import { pathInWorkspace } from '../workspace-path.ts';
import type { Command } from './command.ts';
import { type CommandWords, useCommandWords } from './command-words.ts';

const themeIcons = { auto: Monitor, light: Sun, dark: Moon } as const;
const themes: readonly Theme[] = ['auto', 'light', 'dark'];

/** The entries that need no question to the server: screens, workspaces and verbs, as far as the person may. */
export function useCommands(): readonly Command[] {
  return [...useScreens(), ...useVerbs(), ...useWorkspaces(), ...useOwnChoices()];
}

/** Whether the person may do something in the workspace of the address. */
export function useRights(): (permission: string) => boolean {
  const { permissions } = useMe();
  const current = useNearestWorkspace();
  return (permission) =>
    permissions.includes(permission) || current?.permissions.includes(permission) === true;
}

function useScreens(): readonly Command[] {
  const { texts } = useTexts();
  const words = useCommandWords();
  const offered = useOfferedActions();
  const current = useNearestWorkspace();
  const may = useRights();
  const { permissions } = useMe();
  const keysOf = (id: string) => offered.findLast((action) => action.id === id)?.keys;
  const own = current === null ? [] : areas.filter(({ permission }) => may(permission));
  const pages = settingsGroups.flatMap(({ pages: each }) => each).filter(({ permission }) => may(permission));
  const isHere = ({ scope }: KeyAction) => scope === 'here';
  return [
    ...own.map(({ id, path, icon }) => ({
      id: `go-${id}`,
      group: 'goTo' as const,
      label: texts.frame.areas[id],
      icon: <Icon of={icon} />,
      keys: keysOf(`go-${id}`),
      to: `/w/${current?.id}/${path}`,
    })),
    ...(permissions.includes(operationsArea.permission)
      ? [
          {
            id: 'go-operations',
            group: 'goTo' as const,
            label: texts.frame.areas.operations,
            icon: <Icon of={operationsArea.icon} />,
            keys: keysOf('go-operations'),
            to: operationsArea.path,
          },
        ]
      : []),
    {
      id: 'me',
      group: 'goTo',
      label: texts.frame.me.profile,
      icon: <Icon of={UserRound} />,
      to: '/me',
    },
    ...offered.filter(isHere).map(({ id, name, keys, run }) => ({
      id: `here-${id}`,
      group: 'here' as const,
      label: name,
      icon: null,
      keys,
      run,
    })),
    ...(current === null ? [] : pages).map(({ id }) => ({
      id: `settings-${id}`,
      group: 'settings' as const,
      label: words.settingsPage(texts.settings.names[id]),
      icon: <Icon of={Settings2} />,
      to: `/w/${current?.id}/settings/${id}`,
    })),
  ];
}

interface Verb {
  readonly name: Exclude<keyof CommandWords['verbs'], 'language'>;
  readonly icon: IconType;
  readonly permission: string;
  /** Below the workspace. */
  readonly path: string;
}

/** The verbs that begin on a screen. Whether one may go on there is the permission. */
const verbs: readonly Verb[] = [
  { name: 'text', icon: FileText, permission: 'knowledge:write', path: 'knowledge/documents?add=text' },
  { name: 'page', icon: Link, permission: 'knowledge:write', path: 'knowledge/documents?add=page' },
  { name: 'source', icon: RefreshCw, permission: 'knowledge:write', path: 'knowledge/sources/new' },
  { name: 'curated', icon: TextQuote, permission: 'knowledge:write', path: 'knowledge/curated?edit=new' },
  { name: 'invite', icon: UserPlus, permission: 'people:write', path: 'settings/people?invite=1' },
  { name: 'channel', icon: Cable, permission: 'channels:write', path: 'channels' },
  { name: 'key', icon: KeyRound, permission: 'developers:write', path: 'settings/keys?new=1' },
  { name: 'webhook', icon: Webhook, permission: 'developers:write', path: 'settings/webhooks?new=1' },
  { name: 'skill', icon: Wrench, permission: 'developers:write', path: 'settings/skills/new' },
  { name: 'snippet', icon: Quote, permission: 'workspace:write', path: 'settings/snippets?new=1' },
];

function useVerbs(): readonly Command[] {
  const { texts } = useTexts();
  const words = useCommandWords();
  const offered = useOfferedActions();
  const current = useNearestWorkspace();
  const may = useRights();
  const mayCreate = useMayCreateWorkspaces();
  const group = 'doIt' as const;
  const ask = offered.findLast(({ id }) => id === 'ask');
  const inWorkspace =
    current === null
      ? []
      : [
          ...verbs
            .filter(({ permission }) => may(permission))
            .map(({ name, icon, path }) => ({
              id: `new-${name}`,
              group,
              label: words.verbs[name],
              icon: <Icon of={icon} />,
              to: `/w/${current.id}/${path}`,
            })),
          {
            id: 'copy-workspace',
            group,
            label: words.verbs.copyWorkspace,
            description: current.id,
            icon: <Icon of={Copy} />,
            run: () => void copyId(current.id, words),
          },
        ];
  return [
    ...(ask === undefined
      ? []
      : [
          {
            id: 'ask',
            group,
            label: words.verbs.ask,
            keywords: texts.evaluation.ask.open,
            icon: <Icon of={MessageSquareQuote} />,
            keys: ask.keys,
            run: () => openAsk(),
          },
        ]),
    ...inWorkspace,
    ...(mayCreate
      ? [
          {
            id: 'new-workspace',
            group,
            label: texts.frame.newWorkspace,
            icon: <Icon of={Plus} />,
            to: '/new-workspace',
          },
        ]
      : []),
    {
      id: 'documentation',
      group,
      label: words.verbs.documentation,
      icon: <Icon of={BookOpenText} />,
      run: () => void window.open('/docs/guide', '_blank', 'noopener'),
    },
  ];
}

async function copyId(id: string, words: CommandWords): Promise<void> {
  const isCopied = await navigator.clipboard.writeText(id).then(
    () => true,
    () => false,
  );
  notifications.show({ message: isCopied ? words.copied(id) : words.notCopied(id), role: 'status' });
}

function useWorkspaces(): readonly Command[] {
  const { workspaces } = useMe();
  const current = useNearestWorkspace();
  const { pathname } = useLocation();
  return workspaces
    .filter(({ id }) => id !== current?.id)
    .map(({ id, name }) => ({
      id: `workspace-${id}`,
      group: 'workspaces' as const,
      label: name,
      keywords: id,
      icon: <Icon of={Building2} />,
      to: pathInWorkspace(pathname, id, 'knowledge/documents'),
    }));
}

/** The person's own theme and language, and the way out. */
function useOwnChoices(): readonly Command[] {
  const { texts, language } = useTexts();
  const words = useCommandWords();
  const change = useChangeMe();
  const { setColorScheme } = useMantineColorScheme();
  const group = 'doIt' as const;
  return [
    ...themes.map((theme) => ({
      id: `theme-${theme}`,
      group,
      label: texts.frame.command.themeIs(texts.frame.me[theme]),
      icon: <Icon of={themeIcons[theme]} />,
      run: () => {
        setColorScheme(theme);
        change.mutate({ theme });
      },
    })),
    ...Object.entries(languages)
      .filter(([code]) => code !== language)
      .map(([code, name]) => ({
        id: `language-${code}`,
        group,
        label: words.verbs.language(name),
        icon: <Icon of={Languages} />,
        run: () => change.mutate({ language: code }),
      })),
    {
      id: 'sign-out',
      group,
      label: texts.frame.me.signOut,
      icon: <Icon of={LogOut} />,
      run: () => void signOut(),
    },
  ];
}
