import { Menu, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { countsQuery } from '../api/queries/inbox.ts';
import { useMe } from '../api/queries/me.ts';
import { useNearestWorkspace } from '../api/queries/workspace.ts';
import { Search, UserRound } from '../icons.ts';
import { Icon } from '../parts/icon.tsx';
import { useTexts } from '../texts/texts.tsx';
import { areas, operationsArea } from './areas.ts';
import { commandMenu } from './command/open-menu.ts';
import { MeItems } from './me-menu.tsx';
import { MentionItems, useUnreadMentions } from './mentions.tsx';
import { WorkspaceChoices } from './workspace-switch.tsx';

/** As many fit on the narrowest phone beside search and the menu, which has the others. */
const IN_BAR = 4;

/** The areas at the lower edge of a phone. */
export function BottomBar() {
  const { texts } = useTexts();
  const { permissions } = useMe();
  const workspace = useNearestWorkspace();
  const { pathname } = useLocation();
  const open = areas.filter(
    ({ permission }) => permissions.includes(permission) || workspace?.permissions.includes(permission),
  );
  return (
    <nav className="p-bottom" aria-label={texts.frame.navigation}>
      {workspace !== null &&
        open.slice(0, IN_BAR).map(({ id, path, icon }) => {
          const active = pathname.startsWith(`/w/${workspace.id}/${path.split('/', 1)[0]}`);
          return (
            <Link
              key={id}
              to={`/w/${workspace.id}/${path}`}
              className="p-bottom-item"
              {...(active && { 'aria-current': 'page' })}
            >
              <span className="p-bottom-icon">
                <Icon of={icon} size={20} />
                {id === 'inbox' && <WaitingBadge workspace={workspace.id} />}
              </span>
              {texts.frame.areas[id]}
            </Link>
          );
        })}
      <UnstyledButton className="p-bottom-item" onClick={commandMenu.open}>
        <Icon of={Search} size={20} />
        {texts.frame.keys.search}
      </UnstyledButton>
      <Menu position="top-end" width={240}>
        <Menu.Target>
          <UnstyledButton className="p-bottom-item">
            <span className="p-bottom-icon">
              <Icon of={UserRound} size={20} />
              <MentionsBadge />
            </span>
            {texts.frame.more}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown mah="80vh" style={{ overflowY: 'auto' }}>
          <UnreadMentions />
          {workspace !== null &&
            open.slice(IN_BAR).map(({ id, path, icon }) => (
              <Menu.Item
                key={id}
                component={Link}
                to={`/w/${workspace.id}/${path}`}
                leftSection={<Icon of={icon} />}
              >
                {texts.frame.areas[id]}
              </Menu.Item>
            ))}
          <WorkspaceItems />
          {permissions.includes(operationsArea.permission) && (
            <Menu.Item
              component={Link}
              to={operationsArea.path}
              leftSection={<Icon of={operationsArea.icon} />}
            >
              {texts.frame.areas.operations}
            </Menu.Item>
          )}
          <MeItems />
        </Menu.Dropdown>
      </Menu>
    </nav>
  );
}

function WaitingBadge({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  const { data: counts } = useQuery(countsQuery(workspace));
  const waiting = counts?.views.waiting ?? 0;
  if (waiting === 0) return null;
  return <span className="p-bottom-count p-numbers">{texts.inbox.count(waiting)}</span>;
}

function MentionsBadge() {
  const unread = useUnreadMentions();
  if (unread === 0) return null;
  return <span className="p-bottom-count p-numbers">{unread}</span>;
}

function UnreadMentions() {
  if (useUnreadMentions() === 0) return null;
  return (
    <>
      <MentionItems />
      <Menu.Divider />
    </>
  );
}

function WorkspaceItems() {
  const { workspaces } = useMe();
  const current = useNearestWorkspace();
  if (workspaces.length < 2) return null;
  return (
    <>
      <WorkspaceChoices workspaces={workspaces} current={current} />
      <Menu.Divider />
    </>
  );
}
