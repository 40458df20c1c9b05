import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { IconType } from '../../icons.ts';
import { Icon } from '../icon.tsx';

interface NextStep {
  readonly icon: IconType;
  readonly text: ReactNode;
  /** A button or a link. */
  readonly action: ReactNode;
}

interface EmptyStateProps {
  readonly icon: IconType;
  /** The state, such as “No document yet”. */
  readonly title: string;
  /** The reason, or the next event. */
  readonly text?: ReactNode;
  readonly action?: ReactNode;
  /** At most three. */
  readonly steps?: readonly NextStep[];
}

/** A list without rows: what is so, and what to do next. */
export function EmptyState({ icon, title, text, action, steps = [] }: EmptyStateProps) {
  return (
    <div className="p-state">
      <div className="p-state-tile">
        <Icon of={icon} size={24} />
      </div>
      <Title order={2} mt="lg" fz={18} lh="24px">
        {title}
      </Title>
      {text !== undefined && (
        <Text mt={4} c="var(--p-text-2)">
          {text}
        </Text>
      )}
      {action !== undefined && (
        <Group mt="lg" justify="center" gap="sm">
          {action}
        </Group>
      )}
      {steps.length > 0 && (
        <div className="p-card p-steps" style={{ marginBlockStart: 24 }}>
          {steps.map((step, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a screen do not change places
            <Group key={position} p="md" gap="md" wrap="nowrap">
              <Icon of={step.icon} color="var(--p-dim)" />
              <Text flex={1}>{step.text}</Text>
              {step.action}
            </Group>
          ))}
        </div>
      )}
    </div>
  );
}
