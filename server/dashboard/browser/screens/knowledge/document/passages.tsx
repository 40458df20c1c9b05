import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type Document, isPending, passagesQuery } from '../../../api/queries/documents.ts';
import { FileText } from '../../../icons.ts';
import { MarkdownText } from '../../../parts/markdown/markdown-text.tsx';
import { MoreButton } from '../../../parts/more-button.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';

interface PassagesProps {
  readonly workspace: string;
  readonly document: Document;
}

/** The passages as searches find them, in the order of the document. */
export function Passages({ workspace, document }: PassagesProps) {
  const { texts } = useTexts();
  const words = texts.knowledge.page;
  const list = useInfiniteQuery(passagesQuery(workspace, document.id, document.indexed_at));
  const passages = list.data?.pages.flatMap((page) => page.passages) ?? [];
  if (list.isPending) return <Skeletons rows={5} height={96} />;
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (passages.length === 0) {
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
      <Text size="xs" c="var(--p-text-2)" mb="md">
        {words.passagesHint}
      </Text>
      <ol className="p-passages">
        {passages.map(({ ordinal, headings, body, length }) => (
          <li key={ordinal} className="p-card p-passage" aria-label={words.passage(ordinal + 1)}>
            <div className="p-passage-head">
              <Text size="xs" fw={500} className="p-passage-path">
                {[document.title, ...headings].join(' › ')}
              </Text>
              <Text size="xs" c="dimmed" className="p-numbers p-nowrap">
                {words.length(length)}
              </Text>
            </div>
            <MarkdownText text={body} />
          </li>
        ))}
      </ol>
      <MoreButton list={list}>{texts.knowledge.more}</MoreButton>
    </div>
  );
}
