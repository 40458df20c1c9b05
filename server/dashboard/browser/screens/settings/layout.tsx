import { Text } from '@mantine/core';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useMay, useWorkspaceId } from '../../api/queries/workspace.ts';
import { ChevronLeft, CircleDot, Lock } from '../../icons.ts';
import { useIsUnsaved } from '../../parts/drafts.ts';
import { Icon } from '../../parts/icon.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { type SettingsPage, settingsGroups } from './pages.ts';
import { useMarkedField } from './use-marked-field.ts';
import './settings.css';

/** The list of pages beside the open one; on narrow screens a link back to the list. */
export function SettingsLayout() {
  const { texts } = useTexts();
  const words = texts.settings;
  const { pathname } = useLocation();
  const root = `/w/${useWorkspaceId()}/settings`;
  useMarkedField();
  const isOverview = pathname.replace(/\/$/, '') === root;
  return (
    <div className="p-settings">
      <nav aria-label={words.pages} className="p-settings-nav">
        {settingsGroups.map(({ id, pages }) => (
          <div key={id}>
            <Text className="p-settings-nav-title">{words.groups[id]}</Text>
            {pages.map((page) => (
              <NavLink key={page.id} page={page} root={root} pathname={pathname} />
            ))}
          </div>
        ))}
      </nav>
      <div className="p-settings-page">
        {!isOverview && (
          <Link to={root} className="p-settings-back">
            <Icon of={ChevronLeft} size={14} />
            {words.title}
          </Link>
        )}
        <Outlet />
      </div>
    </div>
  );
}

interface NavLinkProps {
  readonly page: SettingsPage;
  readonly root: string;
  readonly pathname: string;
}

function NavLink({ page: { id, permission }, root, pathname }: NavLinkProps) {
  const { texts } = useTexts();
  const may = useMay(permission);
  const to = `${root}/${id}`;
  const isUnsaved = useIsUnsaved(`${useWorkspaceId()}/settings/${id}`);
  const active = pathname === to || pathname.startsWith(`${to}/`);
  return (
    <Link to={to} className="p-settings-link" {...(active && { 'aria-current': 'page' })}>
      {texts.settings.names[id]}
      {isUnsaved && <Icon of={CircleDot} size={12} color="var(--p-amber)" label={texts.parts.unsaved} />}
      {!may && <Icon of={Lock} size={12} label={texts.parts.noRight.ask} />}
    </Link>
  );
}
