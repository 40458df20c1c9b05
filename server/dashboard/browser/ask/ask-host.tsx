import { lazy, Suspense, useMemo } from 'react';
import { useMay, useWorkspace } from '../api/queries/workspace.ts';
import { type KeyAction, useKeyActions } from '../keys/registry.ts';
import { useTexts } from '../texts/texts.tsx';
import { openAsk, useOpenAsk } from './open-ask.ts';

/** Loaded when it is opened: the first load goes without it. */
const AskPanel = lazy(async () => ({ default: (await import('./ask-panel.tsx')).AskPanel }));

/** Offers the panel that asks on trial, on each screen of a workspace, for people who may read its documents. */
export function AskHost() {
  const { texts } = useTexts();
  const workspace = useWorkspace();
  const may = useMay('knowledge:read') && workspace !== null;
  const open = useOpenAsk();
  const actions = useMemo<readonly KeyAction[]>(
    () =>
      may
        ? [
            {
              id: 'ask',
              name: texts.evaluation.ask.open,
              keys: 'q',
              scope: 'everywhere',
              run: () => openAsk(),
            },
          ]
        : [],
    [texts, may],
  );
  useKeyActions(actions);
  if (!may || open === null) return null;
  return (
    <Suspense>
      <AskPanel workspace={workspace.id} key={workspace.id} first={open.question} />
    </Suspense>
  );
}
