import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import '../page.css';

interface SectionProps {
  readonly title: string;
  readonly text?: ReactNode;
  /** Content beside the title: a state or a button. */
  readonly beside?: ReactNode;
  readonly children?: ReactNode;
}

/** A part of a page, which is saved alone. */
export function Section({ title, text, beside, children }: SectionProps) {
  return (
    <section className="p-section" aria-label={title}>
      <Group justify="space-between" align="flex-start" gap="md">
        <div style={{ flex: '1 1 240px', minWidth: 0 }}>
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
