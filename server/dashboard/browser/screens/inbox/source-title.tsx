import { Popover, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Source } from '../../api/queries/conversation.ts';
import { FileText } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface SourceTitleProps {
  readonly source: Source;
  /** In pixels. */
  readonly width: number;
  /** The passage. */
  readonly children: ReactNode;
  /** Content below the passage. */
  readonly foot?: ReactNode;
}

/** The title of a source; a click shows its passage. */
export function SourceTitle({ source, width, children, foot }: SourceTitleProps) {
  const { texts } = useTexts();
  return (
    <Popover width={width} position="top" shadow="lg" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton
          className="p-source"
          aria-label={texts.conversation.draft.source(source.title)}
          title={source.title}
        >
          <Icon of={FileText} size={14} />
          <span>{source.title}</span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long passage is scrolled with the keyboard */}
        <p className="p-passage-text" tabIndex={0} data-autofocus>
          {children}
        </p>
        {foot}
      </Popover.Dropdown>
    </Popover>
  );
}
