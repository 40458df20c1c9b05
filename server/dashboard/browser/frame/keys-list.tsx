import { Group, Kbd, Text, Title } from '@mantine/core';
import { useMe } from '../api/queries/me.ts';
import { type KeyAction, keySigns, useOfferedActions } from '../keys/registry.ts';
import { useTexts } from '../texts/texts.tsx';

/** The keys that act on this screen, and those that act everywhere. */
export function KeysList() {
  const { texts } = useTexts();
  const words = texts.frame.keys;
  const { person } = useMe();
  const offered = useOfferedActions().filter(({ keys }) => keys !== undefined);
  // If two actions have the same keys, the later one has them.
  const actions = offered.filter(
    (action, place) => offered.findLastIndex(({ keys }) => keys === action.keys) === place,
  );
  const here = actions.filter(({ scope }) => scope === 'here');
  const everywhere = actions.filter(({ scope }) => scope === 'everywhere');
  return (
    <>
      {!person.keys_enabled && <Text mb="md">{words.off}</Text>}
      {here.length > 0 && <KeySection title={words.here} actions={here} />}
      <KeySection title={words.everywhere} actions={everywhere} />
    </>
  );
}

interface KeySectionProps {
  readonly title: string;
  readonly actions: readonly KeyAction[];
}

function KeySection({ title, actions }: KeySectionProps) {
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
