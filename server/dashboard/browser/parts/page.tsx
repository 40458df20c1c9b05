import { Box, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useTexts } from '../texts/texts.tsx';
import './page.css';

interface PageProps {
  /** The one `h1` of the screen, and the title of the document. */
  readonly title: string;
  /** One line below the title. */
  readonly intro?: ReactNode;
  /** The one primary button, at the end side. */
  readonly action?: ReactNode;
  /** Tabs or filters below the bar. */
  readonly below?: ReactNode;
  /** `narrow` for forms: at most 720 px. */
  readonly width?: 'full' | 'narrow';
  readonly children: ReactNode;
}

/** A screen in the sheet: a bar with the title and the primary action, and the content, which scrolls. */
export function Page({ title, intro, action, below, width = 'full', children }: PageProps) {
  const { texts } = useTexts();
  useEffect(() => {
    document.title = `${title} · ${texts.frame.product}`;
  }, [title, texts]);
  return (
    <Box className="p-page">
      <Group component="header" className="p-page-bar" wrap="nowrap" justify="space-between" gap="lg">
        <div className="p-page-titles">
          <Title order={1} className="p-page-title">
            {title}
          </Title>
          {intro !== undefined && (
            <Text c="var(--p-text-2)" size="sm">
              {intro}
            </Text>
          )}
        </div>
        {action !== undefined && <Box className="p-page-action">{action}</Box>}
      </Group>
      {below !== undefined && <Box className="p-page-below">{below}</Box>}
      <Box className="p-page-content" data-width={width}>
        {children}
      </Box>
    </Box>
  );
}
