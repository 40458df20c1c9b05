import { ActionIcon, Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Document, documentsQuery, useChangeDocuments } from '../../api/queries/documents.ts';
import { Trash2 } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { FailureCard } from './failure-card.tsx';
import { useDeleteDocuments } from './use-delete-documents.ts';

interface FailedDocumentsProps {
  readonly workspace: string;
  readonly count: number;
  /** How many are told at once. */
  readonly shown: number;
  readonly may: boolean;
}

/** Documents that could not be indexed, above all others: each is a sentence with what to do. */
export function FailedDocuments({ workspace, count, shown, may }: FailedDocumentsProps) {
  const { texts } = useTexts();
  const words = texts.knowledge.failed;
  const { data } = useInfiniteQuery(documentsQuery(workspace, { status: 'failed' }));
  const change = useChangeDocuments(workspace);
  const failed = (data?.pages.flatMap(({ documents }) => documents) ?? []).filter(
    ({ status }) => status === 'failed',
  );
  if (failed.length === 0) return null;
  return (
    <section className="p-failures" aria-label={texts.knowledge.statuses.failed}>
      {failed.slice(0, shown).map((document) => (
        <FailureCard
          key={document.id}
          workspace={workspace}
          document={document}
          may={may}
          extra={may && <DeleteOne workspace={workspace} document={document} />}
        />
      ))}
      {count > 1 && (
        <div className="p-failures-foot">
          {count > shown && (
            <Link to="/w/$workspace/knowledge/documents" params={{ workspace }} search={{ status: 'failed' }}>
              {words.showAll(count)}
            </Link>
          )}
          {may && (
            <Button
              size="xs"
              variant="default"
              loading={change.isPending}
              onClick={() => change.mutate({ ids: failed.map(({ id }) => id), action: 'reindex' })}
            >
              {words.tryAll(failed.length)}
            </Button>
          )}
          {(change.data?.length ?? 0) > 0 && (
            <Text size="xs" c="var(--p-red)" role="alert">
              {texts.knowledge.bulk.notDone(change.data?.length ?? 0, change.data?.[0]?.detail ?? '')}
            </Text>
          )}
        </div>
      )}
    </section>
  );
}

function DeleteOne({ workspace, document }: { readonly workspace: string; readonly document: Document }) {
  const { texts } = useTexts();
  const remove = useDeleteDocuments(workspace);
  return (
    <ActionIcon aria-label={texts.knowledge.failed.delete(document.title)} onClick={() => remove([document])}>
      <Icon of={Trash2} />
    </ActionIcon>
  );
}
