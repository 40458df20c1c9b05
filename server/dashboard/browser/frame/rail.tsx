import { ActionIcon, Kbd, Tooltip, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { Fragment, lazy, Suspense } from 'react';
import { countsQuery } from '../api/queries/inbox.ts';
import { useMe } from '../api/queries/me.ts';
import { useMay, useNearestWorkspace } from '../api/queries/workspace.ts';
import { openAsk } from '../ask/open-ask.ts';
import { CircleQuestionMark, MessageSquareQuote, Search } from '../icons.ts';
import { keySigns, useKeysOf } from '../keys/registry.ts';
import { useLiveState } from '../live/live-state.ts';
import { Icon } from '../parts/icon.tsx';
import { Availability } from '../screens/inbox/views/availability.tsx';
import { useTexts } from '../texts/texts.tsx';
import { type Area, areas, operationsArea } from './areas.ts';
import { commandMenu } from './command/open-menu.ts';
import { openKeys } from './keys-overlay.tsx';
import { MeMenu } from './me-menu.tsx';
import { MentionsBell } from './mentions.tsx';
import { WorkspaceSwitch } from './workspace-switch.tsx';

/** The areas of the workspace. Below 1100 px only their symbols are left; on phones `BottomBar` takes its place. */
export function Rail() {
  const { texts } = useTexts();
  return (
    <header className="p-rail">
      <WorkspaceSwitch />
      <UnstyledButton className="p-search" onClick={commandMenu.open}>
        <Icon of={Search} color="var(--p-dim)" />
        <span className="p-rail-text">{texts.frame.searchOrDo}</span>
        <Kbd className="p-rail-text">{keySigns('mod+k').join(' ')}</Kbd>
      </UnstyledButton>
      <AskButton />
      <nav aria-label={texts.frame.navigation} className="p-nav">
        {areas.map((area) => (
          <Fragment key={area.id}>
            <AreaLink area={area} />
            {area.id === 'inbox' && <InboxViews />}
          </Fragment>
        ))}
        <OperationsLink />
      </nav>
      <div className="p-rail-foot">
        <LiveLine />
        <div className="p-me-line">
          <MeMenu />
          <Availability />
        </div>
      </div>
    </header>
  );
}

function AskButton() {
  const { texts } = useTexts();
  const may = useMay('knowledge:read');
  const keys = keySigns(useKeysOf('ask') ?? '');
  if (!may) return null;
  const name = texts.evaluation.ask.title;
  return (
    <Tooltip label={[texts.evaluation.ask.open, keys.join(' ')].join('  ').trimEnd()} position="right">
      <UnstyledButton className="p-nav-link" aria-label={texts.evaluation.ask.open} onClick={() => openAsk()}>
        <Icon of={MessageSquareQuote} />
        <span className="p-rail-text">{name}</span>
      </UnstyledButton>
    </Tooltip>
  );
}

function AreaLink({ area: { id, path, icon, permission } }: { readonly area: Area }) {
  const { texts } = useTexts();
  const workspace = useNearestWorkspace();
  const may = useMay(permission);
  const { pathname } = useLocation();
  const keys = keySigns(useKeysOf(`go-${id}`) ?? '');
  if (workspace === null || !may) return null;
  const active = pathname.startsWith(`/w/${workspace.id}/${path.split('/', 1)[0]}`);
  const name = texts.frame.areas[id];
  return (
    <Tooltip label={[name, keys.join(' ')].join('  ').trimEnd()} position="right">
      <Link
        to={`/w/${workspace.id}/${path}`}
        className="p-nav-link"
        {...(active && { 'aria-current': 'page' })}
      >
        <Icon of={icon} />
        <span className="p-rail-text">{name}</span>
        {id === 'inbox' && <WaitingCount />}
      </Link>
    </Tooltip>
  );
}

/** Operators reach the whole installation from every workspace. */
function OperationsLink() {
  const { texts } = useTexts();
  const { id, path, icon, permission } = operationsArea;
  const { permissions } = useMe();
  const { pathname } = useLocation();
  const keys = keySigns(useKeysOf(`go-${id}`) ?? '');
  if (!permissions.includes(permission)) return null;
  const name = texts.frame.areas[id];
  return (
    <Tooltip label={[name, keys.join(' ')].join('  ').trimEnd()} position="right">
      <Link to={path} className="p-nav-link" {...(pathname === path && { 'aria-current': 'page' })}>
        <Icon of={icon} />
        <span className="p-rail-text">{name}</span>
      </Link>
    </Tooltip>
  );
}

/** How many conversations wait for a person. */
function WaitingCount() {
  const { texts } = useTexts();
  const { data: counts } = useQuery(countsQuery(useNearestWorkspace()?.id ?? ''));
  const waiting = counts?.views.waiting ?? 0;
  if (waiting === 0) return null;
  return <span className="p-nav-count p-numbers">{texts.inbox.count(waiting)}</span>;
}

/** The views of the inbox while one of its screens is open; they come with its code. */
function InboxViews() {
  const workspace = useNearestWorkspace();
  const may = useMay('inbox:read');
  const { pathname } = useLocation();
  if (workspace === null || !may || !pathname.startsWith(`/w/${workspace.id}/inbox`)) return null;
  return (
    <Suspense>
      <Views />
    </Suspense>
  );
}

const Views = lazy(async () => ({ default: (await import('../screens/inbox/views/views.tsx')).Views }));

function LiveLine() {
  const { texts } = useTexts();
  const state = useLiveState();
  const words = texts.frame.live;
  return (
    <div className="p-live">
      <Tooltip label={words[`${state}Hint`]} position="right" multiline maw={240}>
        <span className="p-live-state" data-state={state} role="status">
          <span className="p-dot" aria-hidden="true" />
          <span className="p-rail-text">{words[state]}</span>
        </span>
      </Tooltip>
      <span className="p-live-buttons">
        <MentionsBell />
        <Tooltip label={`${texts.frame.me.help}  ?`} position="right">
          <ActionIcon size="xs" aria-label={texts.frame.me.help} onClick={openKeys}>
            <Icon of={CircleQuestionMark} />
          </ActionIcon>
        </Tooltip>
      </span>
    </div>
  );
}
