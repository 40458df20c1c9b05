import { Button, Group, Kbd, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import { Check } from '../icons.ts';
import { type KeyAction, useKeyActions } from '../keys/registry.ts';
import { Icon } from '../parts/icon.tsx';
import { useTexts } from '../texts/texts.tsx';

const undoMs = 10_000;

let latest: (() => void) | null = null;
/** Each toast has an id of its own: one that took over the former's id would also take over what is left of its time. */
let toast: string | null = null;

/**
 * Says what was done and offers for ten seconds to take it back. A new one takes the place of the former. `change` may still
 * be on its way: if it fails, the offer goes away, and whoever made the change tells the failure. `undo` is called at the press.
 */
export function offerUndo(done: string, undo: () => void, change?: Promise<unknown>): void {
  latest = undo;
  hideToast();
  toast = notifications.show({
    autoClose: undoMs,
    withCloseButton: false,
    className: 'p-toast',
    message: <UndoToast done={done} />,
    onClose: () => {
      // A newer one may have taken its place.
      if (latest === undo) latest = null;
    },
  });
  change?.catch(() => withdrawUndo(undo));
}

/** Ends an offer unless a newer one has taken its place. */
export function withdrawUndo(undo: () => void): void {
  if (latest !== undo) return;
  latest = null;
  hideToast();
}

function hideToast(): void {
  if (toast !== null) notifications.hide(toast);
  toast = null;
}

/** Offers it at once, too. An undo that is pressed before the change is made waits for it, and is dropped if it fails. */
export function offerUndoOf(change: Promise<unknown>, done: string, undo: () => void): void {
  offerUndo(done, () => void change.then(undo, () => {}), change);
}

function UndoToast({ done }: { readonly done: string }) {
  const { texts } = useTexts();
  return (
    <Group wrap="nowrap" gap="sm">
      <Icon of={Check} />
      <Text inherit flex={1}>
        {done}
      </Text>
      <Button variant="transparent" size="xs" c="inherit" rightSection={<Kbd>Z</Kbd>} onClick={takeBack}>
        {texts.frame.undo}
      </Button>
    </Group>
  );
}

function takeBack(): void {
  const undo = latest;
  latest = null;
  hideToast();
  undo?.();
}

/** Binds the key Z. */
export function useUndoKey(): void {
  const { texts } = useTexts();
  const actions = useMemo<readonly KeyAction[]>(
    () => [{ id: 'undo', name: texts.frame.keys.undo, keys: 'z', scope: 'everywhere', run: takeBack }],
    [texts],
  );
  useKeyActions(actions);
}
