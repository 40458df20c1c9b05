import { Modal } from '@mantine/core';
import { lazy, Suspense, useMemo, useSyncExternalStore } from 'react';
import { type KeyAction, useKeyActions } from '../keys/registry.ts';
import { useTexts } from '../texts/texts.tsx';

/** The code loads when the list opens, which keeps the first load small. */
const KeysList = lazy(async () => ({ default: (await import('./keys-list.tsx')).KeysList }));

let opened = false;
const listeners = new Set<() => void>();

function setOpened(next: boolean): void {
  opened = next;
  for (const listener of listeners) listener();
}

/** Shows the keys of this screen. */
export function openKeys(): void {
  setOpened(true);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The list of keys, opened by `?`. */
export function KeysOverlay() {
  const { texts } = useTexts();
  const words = texts.frame.keys;
  const isOpen = useSyncExternalStore(subscribe, () => opened);
  const own = useMemo<readonly KeyAction[]>(
    () => [{ id: 'keys', name: words.showKeys, keys: '?', scope: 'everywhere', run: openKeys }],
    [words],
  );
  useKeyActions(own);
  return (
    <Modal
      opened={isOpen}
      onClose={() => setOpened(false)}
      title={words.title}
      closeButtonProps={{ 'aria-label': texts.frame.close }}
    >
      <Suspense>
        <KeysList />
      </Suspense>
    </Modal>
  );
}
