import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface PartProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly children?: ReactNode;
}

/** A part of the trace: its name, a note at the end of the line, and what it holds. */
export function Part({ title, note, children }: PartProps) {
  return (
    <section className="p-trace-part" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {note !== undefined && (
          <Text span size="xs" c="var(--p-text-2)">
            {note}
          </Text>
        )}
      </header>
      {children}
    </section>
  );
}
