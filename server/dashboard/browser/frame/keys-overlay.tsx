import { Group, Kbd, Modal, Text, Title } from '@mantine/core';
import { useMemo, useSyncExternalStore } from 'react';
import { useMe } from '../api/queries/me.ts';
import { type KeyAction, keySigns, useKeyActions, useOfferedActions } from '../keys/registry.ts';
import { useTexts } from '../texts/texts.tsx';

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
  const { person } = useMe();
  const isOpen = useSyncExternalStore(subscribe, () => opened);
  const own = useMemo<readonly KeyAction[]>(
    () => [{ id: 'keys', name: words.showKeys, keys: '?', scope: 'everywhere', run: openKeys }],
    [words],
  );
  useKeyActions(own);
  const offered = useOfferedActions().filter(({ keys }) => keys !== undefined);
  // Of two with the same keys, the later one has them.
  const actions = offered.filter(
    (action, place) => offered.findLastIndex(({ keys }) => keys === action.keys) === place,
  );
  const here = actions.filter(({ scope }) => scope === 'here');
  const everywhere = actions.filter(({ scope }) => scope === 'everywhere');
  return (
    <Modal
      opened={isOpen}
      onClose={() => setOpened(false)}
      title={words.title}
      closeButtonProps={{ 'aria-label': texts.frame.close }}
    >
      {!person.keys_enabled && <Text mb="md">{words.off}</Text>}
      {here.length > 0 && <KeyList title={words.here} actions={here} />}
      <KeyList title={words.everywhere} actions={everywhere} />
    </Modal>
  );
}

interface KeyListProps {
  readonly title: string;
  readonly actions: readonly KeyAction[];
}

function KeyList({ title, actions }: KeyListProps) {
  return (
    <section aria-label={title}>
      <Title order={2} fz={12} fw={500} c="dimmed" mt="sm">
        {title}
      </Title>
      {actions.map(({ id, name, keys }) => (
        <Group key={id} justify="space-between" h={36}>
          <Text>{name}</Text>
          <Group gap={4}>
            {keySigns(keys ?? '').map((sign) => (
              <Kbd key={sign}>{sign}</Kbd>
            ))}
          </Group>
        </Group>
      ))}
    </section>
  );
}
