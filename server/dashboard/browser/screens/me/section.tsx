import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import './me.css';

interface SectionProps {
  readonly title: string;
  readonly text?: ReactNode;
  /** Beside the title: a state or a button. */
  readonly beside?: ReactNode;
  readonly children?: ReactNode;
}

/** A part of the page about oneself. */
export function Section({ title, text, beside, children }: SectionProps) {
  return (
    <section className="p-me-section" aria-label={title}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Title order={2}>{title}</Title>
          {text !== undefined && <Text c="dimmed">{text}</Text>}
        </div>
        {beside}
      </Group>
      {children !== undefined && (
        <Stack gap="lg" mt="lg">
          {children}
        </Stack>
      )}
    </section>
  );
}
