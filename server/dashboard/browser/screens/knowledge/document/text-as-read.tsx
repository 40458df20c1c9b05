import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Document, documentTextQuery, isPending } from '../../../api/queries/documents.ts';
import { FileText, Info } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { MarkdownText } from '../../../parts/markdown/markdown-text.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';

interface TextAsReadProps {
  readonly workspace: string;
  readonly document: Document;
}

/** The text that was read from the file: answers know nothing else of it. */
export function TextAsRead({ workspace, document }: TextAsReadProps) {
  const { texts } = useTexts();
  const words = texts.knowledge.page;
  const { data, error, refetch } = useQuery(documentTextQuery(workspace, document.id, document.indexed_at));
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeletons rows={8} />;
  if (data.text === '') {
    return (
      <EmptyState
        icon={FileText}
        title={words.noText}
        text={isPending(document) ? words.noTextWaiting : words.noTextFailed}
      />
    );
  }
  return (
    <div className="p-reading">
      {isPending(document) && (
        <Text size="xs" c="var(--p-text-2)" className="p-older" role="status">
          <Icon of={Info} size={14} /> {words.olderText}
        </Text>
      )}
      <MarkdownText text={data.text} />
    </div>
  );
}
