import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type MyWorkspace, useMe } from '../api/queries/me.ts';
import { useNearestWorkspace } from '../api/queries/workspace.ts';
import { Check, ChevronsUpDown } from '../icons.ts';
import { type KeyAction, useKeyActions } from '../keys/registry.ts';
import { Icon } from '../parts/icon.tsx';
import { useTexts } from '../texts/texts.tsx';

/** The workspace of the address, and the way to the others. */
export function WorkspaceSwitch() {
  const { texts } = useTexts();
  const { workspaces } = useMe();
  const current = useNearestWorkspace();
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
    <Menu opened={opened} onChange={setOpened} position="bottom-start" width={240}>
      <Menu.Target>
        <UnstyledButton className="p-workspace">
          <VisuallyHidden>{texts.frame.switchWorkspace}: </VisuallyHidden>
          {current === null ? <span className="p-mark" /> : <WorkspaceMark workspace={current} />}
          <span className="p-rail-text p-workspace-name">{current?.name ?? texts.frame.product}</span>
          <Icon of={ChevronsUpDown} size={14} color="var(--p-dim)" className="p-rail-text" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.frame.workspaces}</Menu.Label>
        {workspaces.map((workspace) => (
          <Menu.Item
            key={workspace.id}
            component={Link}
            to={`/w/${workspace.id}/knowledge/documents`}
            leftSection={<WorkspaceMark workspace={workspace} />}
            {...(workspace.id === current?.id && { rightSection: <Icon of={Check} /> })}
          >
            {workspace.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
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
