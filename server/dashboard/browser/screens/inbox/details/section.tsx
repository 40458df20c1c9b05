import { Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly count?: number;
  readonly children: ReactNode;
}

/** A part of the pane with its title. */
export function Section({ title, count = 0, children }: SectionProps) {
  return (
    <section className="p-details-section">
      <div className="p-details-title">
        <Title order={3}>{title}</Title>
        {count > 0 && <span className="p-numbers">{count}</span>}
      </div>
      {children}
    </section>
  );
}
