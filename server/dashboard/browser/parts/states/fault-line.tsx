import { Group, Text } from '@mantine/core';
import { CircleAlert } from '../../icons.ts';
import { Icon } from '../icon.tsx';

/** Why a form was refused, read out at once. */
export function FaultLine({ children }: { readonly children: string }) {
  return (
    <Group role="alert" gap={6} wrap="nowrap" c="var(--p-red)" align="flex-start">
      <Icon of={CircleAlert} size={14} className="p-fault-icon" />
      <Text size="xs">{children}</Text>
    </Group>
  );
}
