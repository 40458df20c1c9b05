import { Progress, Text } from '@mantine/core';
import type { Document } from '../../api/queries/documents.ts';
import { Check, CircleAlert, Clock } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** The state of a document: a sign and a word, or how much is indexed. */
export function DocumentStatus({ document }: { readonly document: Document }) {
  const { texts } = useTexts();
  const { statuses, indexing, updating } = texts.knowledge;
  const { status, progress, answering } = document;
  if (status === 'indexing') {
    const text = (answering ? updating : indexing)(progress);
    return (
      <span className="p-progress">
        <Text size="xs" className="p-numbers">
          {text}
        </Text>
        <Progress value={progress} size={4} aria-label={text} />
      </span>
    );
  }
  const { icon, color } = signs[status];
  return (
    <span className="p-state-word" style={{ color: status === 'failed' ? 'var(--p-red)' : undefined }}>
      <Icon of={icon} size={14} color={color} />
      {status === 'deleted' ? '' : statuses[status]}
    </span>
  );
}

const signs = {
  queued: { icon: Clock, color: 'var(--p-dim)' },
  indexed: { icon: Check, color: 'var(--p-green)' },
  failed: { icon: CircleAlert, color: 'var(--p-red)' },
  deleted: { icon: CircleAlert, color: 'var(--p-dim)' },
} as const;
