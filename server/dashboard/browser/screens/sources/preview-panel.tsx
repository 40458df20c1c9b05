import { Button, Text, Title } from '@mantine/core';
import type { SourcePreview } from '../../api/queries/sources.ts';
import { StatusPill } from '../../parts/pills.tsx';
import type { Fields } from '../../parts/schema-form/json-schema.ts';
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
  /** Whether pages are read that no list names. */
  readonly readsUnlisted: boolean;
  /** Changes settings, and looks again. */
  readonly onChoice: (settings: Fields) => void;
}

/** The groups of pages or files of a source, what lies outside, and what a run would do with those that were looked at. */
export function PreviewPanel({ preview, isBusy, error, readsUnlisted, onChoice }: PreviewPanelProps) {
  const { texts } = useTexts();
  const words = texts.sources.preview;
  if (!isBusy && error === null && preview === undefined) return null;
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
          <Choices preview={preview} readsUnlisted={readsUnlisted} onChoice={onChoice} />
          {preview.items.length > 0 && (
            <>
              <Text mt="md" fw={500}>
                {words.summary(preview.listed, preview.covered, preview.is_whole)}
              </Text>
              <Groups groups={preview.groups} />
              <Items items={preview.items} />
            </>
          )}
        </>
      )}
    </section>
  );
}

interface ChoicesProps extends Pick<PreviewPanelProps, 'readsUnlisted' | 'onChoice'> {
  readonly preview: SourcePreview;
}

/** The pages that are left out or added, each with the button that decides otherwise. */
function Choices({ preview: { scope, outside, unlisted }, readsUnlisted, onChoice }: ChoicesProps) {
  const { texts } = useTexts();
  const words = texts.sources.preview;
  return (
    <>
      {scope !== null && (
        <p className="p-preview-choice">
          <Text span>{words.scope(scope, outside)}</Text>
          <Button size="xs" variant="default" onClick={() => onChoice({ scope: '/**' })}>
            {words.widen}
          </Button>
        </p>
      )}
      {unlisted > 0 && (
        <p className="p-preview-choice">
          <Text span>{words.unlisted(unlisted)}</Text>
          <Button size="xs" variant="default" onClick={() => onChoice({ read_unlisted: !readsUnlisted })}>
            {readsUnlisted ? words.leaveUnlisted : words.readUnlisted}
          </Button>
        </p>
      )}
    </>
  );
}

function Groups({ groups }: Pick<SourcePreview, 'groups'>) {
  const { texts } = useTexts();
  const words = texts.sources.preview;
  return (
    <ul className="p-preview-groups" aria-label={words.groups}>
      {groups.map(({ pattern, listed, checked, read, sample }) => (
        <li key={pattern ?? ''}>
          <div>
            <Text fw={500} className="p-breaks">
              {pattern ?? words.rest}
            </Text>
            <Text size="xs" c="var(--p-text-2)" className="p-breaks">
              {checked === 0 ? words.unchecked : words.checked(read, checked)}
              {read === 0 && sample?.reason != null && ` · ${sample.reason}`}
            </Text>
          </div>
          <Text span className="p-numbers">
            {words.pages(listed)}
          </Text>
          <StatusPill tone={tones[sample?.outcome ?? 'not_read']}>
            {words.outcomes[sample?.outcome ?? 'not_read']}
          </StatusPill>
        </li>
      ))}
    </ul>
  );
}

function Items({ items }: Pick<SourcePreview, 'items'>) {
  const { texts } = useTexts();
  const words = texts.sources.preview;
  const looked = items.filter(({ outcome }) => outcome !== 'not_read').length;
  return (
    <details className="p-preview-details">
      <summary>{words.looked(looked)}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled with the keyboard */}
      <ul className="p-preview-items" tabIndex={0} aria-label={words.title}>
        {items.map(({ key, url, title, outcome, reason }) => (
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
    </details>
  );
}
