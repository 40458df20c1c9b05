import { Button, FileButton, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type Problem, toProblem } from '../../api/problem.ts';
import {
  type Document,
  uploadFile,
  useChangeDocuments,
  useRefreshDocuments,
} from '../../api/queries/documents.ts';
import { CircleAlert } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface FailureCardProps {
  readonly workspace: string;
  readonly document: Document;
  readonly may: boolean;
  /** Whether the title leads to the document. */
  readonly titled?: boolean;
  readonly extra?: ReactNode;
}

/** Why a document could not be indexed, in the words of the server, and what to do. */
export function FailureCard({ workspace, document, may, titled = true, extra }: FailureCardProps) {
  const { texts } = useTexts();
  const words = texts.knowledge;
  const { id, title, origin, bytes, updated_at: at, failure, answering } = document;
  const change = useChangeDocuments(workspace);
  const replacing = useReplaceFile(workspace, id);
  const [what, todo] = splitSentence(failure?.reason ?? words.failed.unknown);
  const refused =
    change.data?.[0]?.detail ?? (change.isError ? toProblem(change.error).message : replacing.fault?.message);
  return (
    <article className="p-failure" aria-label={title}>
      <Icon of={CircleAlert} color="var(--p-red)" />
      <div className="p-failure-text">
        {titled && (
          <Text>
            <Link
              to="/w/$workspace/knowledge/documents/$document"
              params={{ workspace, document: id }}
              className="p-failure-title"
            >
              {title}
            </Link>{' '}
            <Text span size="xs" c="var(--p-text-2)">
              {[
                ...(origin === null ? [] : [words.origins[origin]]),
                ...(bytes === 0 ? [] : [words.bytes(bytes)]),
              ]
                .map((each) => `${each}, `)
                .join('')}
              <TimeAgo at={at} />
            </Text>
          </Text>
        )}
        <Text c="var(--p-text-2)">
          <Text span inherit fw={500} c="var(--p-red)">
            {what}
          </Text>{' '}
          {todo} {answering && words.failed.stillAnswering}
        </Text>
        {refused !== undefined && (
          <Text size="xs" c="var(--p-red)" role="alert" mt={4}>
            {refused}
          </Text>
        )}
      </div>
      {may && (
        <Group gap="sm" wrap="nowrap" className="p-failure-actions">
          <Button
            variant="default"
            size="xs"
            loading={change.isPending}
            onClick={() => change.mutate({ ids: [id], action: 'reindex' })}
          >
            {words.failed.tryAgain}
          </Button>
          <FileButton onChange={replacing.replace} inputProps={{ 'aria-label': words.failed.replace }}>
            {({ onClick }) => (
              <Button variant="default" size="xs" loading={replacing.busy} onClick={onClick}>
                {words.failed.replace}
              </Button>
            )}
          </FileButton>
          {extra}
        </Group>
      )}
    </article>
  );
}

/** Sends a file as the new content of a document. */
function useReplaceFile(workspace: string, id: string) {
  const refresh = useRefreshDocuments(workspace);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Problem>();
  const replace = async (file: File | null) => {
    if (file === null) return;
    setBusy(true);
    setFault(undefined);
    try {
      const { signal } = new AbortController();
      await uploadFile({ workspace, file, replaces: id, onProgress: () => {}, signal });
      refresh();
    } catch (error) {
      setFault(toProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, fault, replace };
}

/** The first sentence says what is wrong, the rest what to do. */
function splitSentence(reason: string): readonly [string, string] {
  const end = reason.indexOf('. ');
  return end === -1 ? [reason, ''] : [reason.slice(0, end + 1), reason.slice(end + 2)];
}
