import { Menu, ScrollArea, TextInput, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type MyWorkspace, useMe } from '../api/queries/me.ts';
import { useMayCreateWorkspaces, useNearestWorkspace } from '../api/queries/workspace.ts';
import { Check, ChevronsUpDown, Plus } from '../icons.ts';
import { type KeyAction, useKeyActions } from '../keys/registry.ts';
import { Icon } from '../parts/icon.tsx';
import { useTexts } from '../texts/texts.tsx';
import { areas } from './areas.ts';
import { pathInWorkspace } from './workspace-path.ts';

/** More workspaces than this can be searched. */
export const MANY = 8;
/** Of those that match, the newest are listed: a menu of 500 is slow, and nobody reads it. */
export const MOST_LISTED = 50;

/** The workspace of the address, and the way to the others and to a new one. */
export function WorkspaceSwitch() {
  const { texts } = useTexts();
  const { workspaces } = useMe();
  const current = useNearestWorkspace();
  const mayCreate = useMayCreateWorkspaces();
  const [opened, setOpened] = useState(false);
  const actions = useMemo<readonly KeyAction[]>(
    () => [
      {
        id: 'switch-workspace',
        name: texts.frame.switchWorkspace,
        keys: 'g w',
        scope: 'everywhere',
        run: () => setOpened(true),
      },
    ],
    [texts],
  );
  useKeyActions(actions);
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-start" width={260}>
      <Menu.Target>
        <UnstyledButton className="p-workspace">
          <VisuallyHidden>{texts.frame.switchWorkspace}: </VisuallyHidden>
          {current === null ? <span className="p-mark" /> : <WorkspaceMark workspace={current} />}
          <span className="p-rail-text p-workspace-name">{current?.name ?? texts.frame.product}</span>
          <Icon of={ChevronsUpDown} size={14} color="var(--p-dim)" className="p-rail-text" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <WorkspaceChoices workspaces={workspaces} current={current} />
        {mayCreate && (
          <>
            <Menu.Divider />
            <Menu.Item component={Link} to="/new-workspace" leftSection={<Icon of={Plus} />}>
              {texts.frame.newWorkspace}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

interface WorkspaceChoicesProps {
  readonly workspaces: readonly MyWorkspace[];
  readonly current: MyWorkspace | null;
}

/** The workspaces of the person as items of a menu, with a search if there are many. */
export function WorkspaceChoices({ workspaces, current }: WorkspaceChoicesProps) {
  const { texts } = useTexts();
  const { pathname } = useLocation();
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const matching = workspaces.filter(
    ({ id, name }) => wanted === '' || id === wanted || name.toLowerCase().includes(wanted),
  );
  return (
    <>
      <Menu.Label>{texts.frame.workspaces}</Menu.Label>
      {workspaces.length > MANY && (
        <TextInput
          size="xs"
          mb="xs"
          data-autofocus
          aria-label={texts.frame.findWorkspace}
          placeholder={texts.frame.findWorkspace}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <ScrollArea.Autosize mah="min(420px, 60vh)" type="auto">
        {matching.slice(0, MOST_LISTED).map((workspace) => (
          <Menu.Item
            key={workspace.id}
            component={Link}
            to={pathInWorkspace(pathname, workspace.id, firstPath(workspace))}
            leftSection={<WorkspaceMark workspace={workspace} />}
            {...(workspace.id === current?.id && { rightSection: <Icon of={Check} /> })}
          >
            {workspace.name}
          </Menu.Item>
        ))}
      </ScrollArea.Autosize>
      {(matching.length === 0 || matching.length > MOST_LISTED) && (
        <Menu.Label role="status">{texts.frame.moreWorkspaces(matching.length)}</Menu.Label>
      )}
    </>
  );
}

/** The first area that the person may see there. */
function firstPath({ permissions }: MyWorkspace): string {
  return areas.find(({ permission }) => permissions.includes(permission))?.path ?? 'settings';
}

const markColours = ['#2E6B4F', '#8A5A24', '#0E6872', '#5A4A8A', '#8A3A4A'] as const;

function WorkspaceMark({ workspace: { id, name } }: { readonly workspace: MyWorkspace }) {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_973;
  return (
    <span className="p-mark" style={{ background: markColours[sum % markColours.length] }} aria-hidden="true">
      {[...name][0]?.toUpperCase()}
    </span>
  );
}
