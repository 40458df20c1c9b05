import { ActionIcon, Progress, Text } from '@mantine/core';
import { CircleAlert, FileText, X } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { useTexts } from '../../texts/texts.tsx';
import type { UploadState } from './use-uploads.ts';

interface UploadListProps {
  readonly uploads: readonly UploadState[];
  readonly onDismiss: (id: number) => void;
}

/** Files on their way, with how much has left, and those that were refused with the reason. */
export function UploadList({ uploads, onDismiss }: UploadListProps) {
  const { texts } = useTexts();
  const words = texts.knowledge.upload;
  if (uploads.length === 0) return null;
  const title = words.title(uploads.length);
  return (
    <section className="p-card p-uploads" aria-label={title}>
      <Text fw={600} role="status">
        {title}
      </Text>
      <ul>
        {uploads.map(({ id, name, share, fault }) => (
          <li key={id}>
            <Icon
              of={fault === null ? FileText : CircleAlert}
              color={fault === null ? 'var(--p-dim)' : 'var(--p-red)'}
            />
            <Text className="p-upload-name">{name}</Text>
            {fault !== null ? (
              <Text className="p-upload-state" c="var(--p-red)" role="alert">
                {fault.code === 'unreachable' ? texts.parts.error.noConnection : fault.message}
              </Text>
            ) : (
              <span className="p-upload-state">
                <Text size="xs" c="var(--p-text-2)" className="p-numbers">
                  {share === null ? words.waiting : words.sending(Math.round(share * 100))}
                </Text>
                <Progress value={(share ?? 0) * 100} size={4} aria-label={name} />
              </span>
            )}
            <ActionIcon
              size="xs"
              aria-label={fault === null ? words.cancel(name) : words.dismiss(name)}
              onClick={() => onDismiss(id)}
            >
              <Icon of={X} size={14} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </section>
  );
}
