import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { toProblem } from '../../../api/problem.ts';
import { type FactConflict, useChangeConflict } from '../../../api/queries/documents.ts';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';

type Statement = FactConflict['statements'][number];

interface ConflictCardProps {
  readonly workspace: string;
  readonly conflict: FactConflict;
  readonly may: boolean;
}

/** The two texts side by side, each with its document and the value that the other one contradicts. */
export function ConflictCard({ workspace, conflict, may }: ConflictCardProps) {
  const { texts } = useTexts();
  const words = texts.knowledge.conflicts;
  const change = useChangeConflict(workspace);
  const { id, kind, status, statements } = conflict;
  const to = status === 'open' ? 'dismissed' : 'open';
  return (
    <li className="p-card p-conflict" aria-label={words.kinds[kind]}>
      <div className="p-conflict-head">
        <Text size="xs" fw={500}>
          {words.kinds[kind]}
        </Text>
        <Text size="xs" c="dimmed" className="p-nowrap">
          {words.found} <TimeAgo at={conflict.found_at} />
        </Text>
        {may && status !== 'resolved' && (
          <Button
            size="xs"
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate({ id, status: to })}
          >
            {status === 'open' ? words.dismiss : words.reopen}
          </Button>
        )}
      </div>
      <div className="p-conflict-sides">
        {statements.map((statement) => (
          <Side
            key={`${statement.document_id} ${statement.text}`}
            workspace={workspace}
            statement={statement}
          />
        ))}
      </div>
      {change.isError && (
        <Text size="xs" c="var(--p-red)" role="alert">
          {toProblem(change.error).message}
        </Text>
      )}
    </li>
  );
}

function Side({ workspace, statement }: { readonly workspace: string; readonly statement: Statement }) {
  const { texts } = useTexts();
  const [before, marked, after] = splitAtMark(statement);
  return (
    <figure className="p-conflict-side">
      <blockquote>
        {before}
        {marked !== '' && <mark>{marked}</mark>}
        {after}
      </blockquote>
      <figcaption>
        <Link
          to="/w/$workspace/knowledge/documents/$document"
          params={{ workspace, document: statement.document_id }}
        >
          {statement.title}
        </Link>
        <Text span size="xs" c="var(--p-text-2)">
          {texts.knowledge.conflicts.changed} <TimeAgo at={statement.changed_at} />
        </Text>
      </figcaption>
    </figure>
  );
}

function splitAtMark({ text, mark }: Statement): readonly [string, string, string] {
  const at = mark === '' ? -1 : text.indexOf(mark);
  return at === -1 ? [text, '', ''] : [text.slice(0, at), mark, text.slice(at + mark.length)];
}
