import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Trash2 } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/page/section.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface DeleteSectionProps {
  /** The consequence of the deletion. */
  readonly text: string;
  readonly isBusy: boolean;
  /** Null if nothing failed. */
  readonly error: Error | null;
  readonly onDelete: () => void;
  /** Other buttons, before that of the deletion. */
  readonly besides?: ReactNode;
}

/** The end of a page about one webhook or skill: deletes it, and shows why that failed. */
export function DeleteSection({ text, isBusy, error, onDelete, besides }: DeleteSectionProps) {
  const { texts } = useTexts();
  return (
    <Section
      title={texts.settings.delete}
      text={text}
      beside={
        <Group gap="sm">
          {besides}
          <Button
            variant="default"
            c="var(--p-red)"
            leftSection={<Icon of={Trash2} size={14} />}
            loading={isBusy}
            onClick={onDelete}
          >
            {texts.settings.delete}
          </Button>
        </Group>
      }
    >
      {error !== null && <ErrorState error={error} />}
    </Section>
  );
}
