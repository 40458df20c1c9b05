import { Group, Text } from '@mantine/core';
import { Lock } from '../../icons.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Icon } from '../icon.tsx';

interface NoRightProps {
  /** The words of the server; without them, that this is for owners. */
  readonly detail?: string;
}

/** The person may not see or do this: one calm line that says whom to ask. */
export function NoRight({ detail }: NoRightProps) {
  const { texts } = useTexts();
  const { title, owners, ask } = texts.parts.noRight;
  return (
    <Group className="p-card" p="lg" gap="md" wrap="nowrap">
      <Icon of={Lock} color="var(--p-dim)" />
      <Text>
        {detail ?? title(owners)} {ask}
      </Text>
    </Group>
  );
}
