import { Text, Title } from '@mantine/core';
import type { SourcePreview } from '../../api/queries/sources.ts';
import { StatusPill } from '../../parts/pills.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { useTexts } from '../../texts/texts.tsx';

const tones = {
  read: 'green',
  skipped: 'grey',
  moved: 'grey',
  gone: 'amber',
  failed: 'red',
  not_read: 'grey',
} as const;

interface PreviewPanelProps {
  readonly preview: SourcePreview | undefined;
  readonly isBusy: boolean;
  readonly error: string | null;
}

/** The first pages or files of a source and what a run would do with each. */
export function PreviewPanel({ preview, isBusy, error }: PreviewPanelProps) {
  const { texts } = useTexts();
  const words = texts.sources.preview;
  if (!isBusy && error === null && preview === undefined) return null;
  const read = preview?.items.filter(({ outcome }) => outcome === 'read').length ?? 0;
  return (
    <section className="p-card p-preview" aria-label={words.title} aria-live="polite">
      <Title order={2}>{words.title}</Title>
      <Text c="var(--p-text-2)" size="sm">
        {words.text}
      </Text>
      {isBusy && <Skeletons rows={4} height={36} />}
      {!isBusy && error !== null && <FaultLine>{error}</FaultLine>}
      {!isBusy && preview !== undefined && (
        <>
          {preview.failure !== null && <FaultLine>{`${words.failed}: ${preview.failure.reason}`}</FaultLine>}
          {preview.failure === null && preview.items.length === 0 && <Text mt="md">{words.none}</Text>}
          {preview.items.length > 0 && (
            <>
              <Text mt="md" fw={500}>
                {words.summary(read, preview.listed, preview.is_whole)}
              </Text>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled with the keyboard */}
              <ul className="p-preview-items" tabIndex={0} aria-label={words.title}>
                {preview.items.map(({ key, url, title, outcome, reason }) => (
                  <li key={key}>
                    <div>
                      <Text truncate title={url ?? key}>
                        {title ?? url ?? key}
                      </Text>
                      <Text size="xs" c="var(--p-text-2)">
                        {reason ?? (title === null ? '' : (url ?? ''))}
                      </Text>
                    </div>
                    <StatusPill tone={tones[outcome]}>{words.outcomes[outcome]}</StatusPill>
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </section>
  );
}
