import { useSpotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { useMe } from '../../api/queries/me.ts';
import { useNearestWorkspace } from '../../api/queries/workspace.ts';
import { type KeyAction, useKeyActions } from '../../keys/registry.ts';
import { useTexts } from '../../texts/texts.tsx';
import { areas, operationsArea } from '../areas.ts';
import { commandMenu, commandStore } from './open-menu.ts';

const loadMenu = async () => ({ default: (await import('./menu.tsx')).Menu });
/** Most of a visit goes without it, so the first load does too. */
const Menu = lazy(loadMenu);

/** Offers the keys that work everywhere, and draws the command menu once it was opened. */
export function CommandHost() {
  useAreaKeys();
  useMenuKey();
  const { opened } = useSpotlight(commandStore);
  const [wasOpened, setWasOpened] = useState(false);
  if (opened && !wasOpened) setWasOpened(true);
  useEffect(() => {
    // A person types right after the key, so the code has come by then.
    const timer = setTimeout(() => void loadMenu().catch(() => {}), 3_000);
    return () => clearTimeout(timer);
  }, []);
  if (!wasOpened) return null;
  return (
    <Suspense>
      <Menu />
    </Suspense>
  );
}

function useMenuKey(): void {
  const { texts } = useTexts();
  const actions = useMemo<readonly KeyAction[]>(
    () => [
      {
        id: 'command',
        name: texts.frame.command.title,
        keys: 'mod+k',
        scope: 'everywhere',
        run: commandMenu.toggle,
      },
    ],
    [texts],
  );
  useKeyActions(actions);
}

/** `g` and a letter lead to each area that the person may see. */
function useAreaKeys(): void {
  const { texts } = useTexts();
  const navigate = useNavigate();
  const { permissions } = useMe();
  const current = useNearestWorkspace();
  const actions = useMemo<readonly KeyAction[]>(() => {
    const may = (permission: string) =>
      permissions.includes(permission) || current?.permissions.includes(permission) === true;
    const own = current === null ? [] : areas.filter(({ permission }) => may(permission));
    const places = [
      ...own.map(({ id, letter, path }) => ({ id, letter, to: `/w/${current?.id}/${path}` })),
      ...(permissions.includes(operationsArea.permission)
        ? [{ id: operationsArea.id, letter: operationsArea.letter, to: operationsArea.path }]
        : []),
    ];
    return places.map(({ id, letter, to }) => ({
      id: `go-${id}`,
      name: texts.frame.areas[id],
      keys: `g ${letter}`,
      scope: 'everywhere',
      run: () => void navigate({ to }),
    }));
  }, [texts, navigate, current, permissions]);
  useKeyActions(actions);
}
