import { useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useSyncExternalStore } from 'react';
import { readQuestion, subscribeToQuestion } from '../api/prove.ts';
import { type Me, meQuery } from '../api/queries/me.ts';
import { useNearestWorkspace } from '../api/queries/workspace.ts';
import { AskHost } from '../ask/ask-host.tsx';
import { allowSingleKeys, chooseKeys } from '../keys/registry.ts';
import { useNotify } from '../live/notify.ts';
import { useStream } from '../live/use-stream.ts';
import { VersionBar } from '../live/version-bar.tsx';
import { ErrorState } from '../parts/states/error-state.tsx';
import { useTexts } from '../texts/texts.tsx';
import { useUndoKey } from '../undo/undo.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { CommandHost } from './command/command-host.tsx';
import { KeysOverlay } from './keys-overlay.tsx';
import { Rail } from './rail.tsx';
import './frame.css';

/** The code loads with the first proof, which keeps the first load small. */
const ProofDialog = lazy(async () => ({ default: (await import('./proof-dialog.tsx')).ProofDialog }));

/** The surroundings of every screen of a signed-in person: the rail, the sheet, the command menu. */
export function Frame() {
  const { data: me, error, refetch } = useQuery(meQuery);
  if (me !== undefined) return <FrameOf me={me} />;
  if (error !== null) {
    return (
      <main className="p-lonely">
        <ErrorState error={error} onRetry={() => void refetch()} />
      </main>
    );
  }
  return <div className="p-frame" aria-busy="true" />;
}

function FrameOf({ me }: { readonly me: Me }) {
  const { texts } = useTexts();
  usePreferences(me);
  useUndoKey();
  const workspace = useNearestWorkspace()?.id ?? null;
  useStream(workspace);
  useNotify(workspace);
  const main = useFocusOnNewPage();
  const asksForProof = useSyncExternalStore(subscribeToQuestion, readQuestion) !== null;
  return (
    <div className="p-frame">
      <a href="#content" className="p-skip">
        {texts.frame.skip}
      </a>
      <Rail />
      <VersionBar />
      <main id="content" className="p-sheet" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
      <BottomBar />
      <CommandHost />
      <KeysOverlay />
      <AskHost />
      {asksForProof && (
        <Suspense>
          <ProofDialog />
        </Suspense>
      )}
    </div>
  );
}

/** Applies the person's choices to this device: language, theme and keys. */
function usePreferences({ person: { language, theme, keys_enabled: keys, own_keys: ownKeys } }: Me): void {
  const { choose } = useTexts();
  const { setColorScheme } = useMantineColorScheme();
  const chooseRef = useRef(choose);
  chooseRef.current = choose;
  useEffect(() => chooseRef.current(language), [language]);
  useEffect(() => setColorScheme(theme), [theme, setColorScheme]);
  useEffect(() => allowSingleKeys(keys), [keys]);
  useEffect(() => chooseKeys(ownKeys), [ownKeys]);
}

/** Moves the focus to the content of a new page, so that a screen reader begins there. */
function useFocusOnNewPage() {
  const { pathname, searchStr } = useLocation();
  const main = useRef<HTMLElement>(null);
  const seen = useRef(pathname);
  useEffect(() => {
    if (seen.current === pathname) return;
    seen.current = pathname;
    // The page focuses the field that the address names.
    if (new URLSearchParams(searchStr).has('field')) return;
    main.current?.focus({ preventScroll: true });
    main.current?.scrollTo({ top: 0 });
  }, [pathname, searchStr]);
  return main;
}
