import { Checkbox, Group, Text } from '@mantine/core';
import type { Document } from '../../api/queries/documents.ts';
import { ClipboardType, FileText, Globe, Lock, Sprout } from '../../icons.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Icon } from '../../parts/icon.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { DocumentStatus } from './document-status.tsx';

interface DocumentTableProps {
  readonly workspace: string;
  readonly rows: readonly Document[];
  readonly picked: ReadonlySet<string>;
  /** Null: nothing can be selected. */
  readonly onPick: ((picked: ReadonlySet<string>) => void) | null;
}

const originIcons = { file: FileText, text: ClipboardType, page: Globe, demo: Sprout } as const;

/** Documents as rows. */
export function DocumentTable({ workspace, rows, picked, onPick }: DocumentTableProps) {
  const { texts } = useTexts();
  const words = texts.knowledge;
  const columns: readonly Column<Document>[] = [
    {
      key: 'title',
      title: words.title,
      cell: ({ title, origin, audience }) => (
        <Group gap="sm" wrap="nowrap" className="p-title-cell">
          <Icon of={originIcons[origin ?? 'file']} color="var(--p-dim)" />
          <Text span inherit truncate title={title}>
            {title}
          </Text>
          {audience.length > 0 && (
            <span className="p-narrow">
              <Icon of={Lock} size={12} label={audience.join(', ')} color="var(--p-dim)" />
            </span>
          )}
        </Group>
      ),
    },
    {
      key: 'origin',
      title: words.origin,
      width: 104,
      cell: ({ origin }) => <Quiet>{origin === null ? '–' : words.origins[origin]}</Quiet>,
    },
    {
      key: 'status',
      title: words.status,
      width: 150,
      cell: (document) => <DocumentStatus document={document} />,
    },
    {
      key: 'passages',
      title: words.passages,
      align: 'end',
      width: 84,
      cell: ({ chunks }) => (chunks === 0 ? '–' : chunks),
    },
    {
      key: 'size',
      title: words.size,
      align: 'end',
      width: 84,
      cell: ({ bytes }) => <Quiet>{bytes === 0 ? '–' : words.bytes(bytes)}</Quiet>,
    },
    {
      key: 'audience',
      title: words.audience,
      width: 160,
      cell: ({ audience }) => <Audience tags={audience} />,
    },
    {
      key: 'changed',
      title: words.changed,
      align: 'end',
      width: 110,
      cell: ({ updated_at: at }) => (
        <Quiet>
          <TimeAgo at={at} />
        </Quiet>
      ),
    },
  ];
  const isAll = rows.every(({ id }) => picked.has(id));
  return (
    <div className="p-documents">
      <DataTable<Document>
        label={words.documents}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/w/${workspace}/knowledge/documents/${id}`}
        minWidth={860}
        {...(onPick !== null && {
          picks: {
            all: (
              <Checkbox
                size="xs"
                aria-label={words.bulk.pickAll}
                checked={isAll}
                indeterminate={!isAll && rows.some(({ id }) => picked.has(id))}
                onChange={() => onPick(isAll ? new Set() : new Set(rows.map(({ id }) => id)))}
              />
            ),
            cell: ({ id, title }) => (
              <Checkbox
                size="xs"
                aria-label={words.bulk.pick(title)}
                checked={picked.has(id)}
                onChange={({ currentTarget: { checked } }) => {
                  const after = new Set(picked);
                  if (checked) after.add(id);
                  else after.delete(id);
                  onPick(after);
                }}
              />
            ),
          },
        })}
      />
    </div>
  );
}

function Quiet({ children }: { readonly children: React.ReactNode }) {
  return (
    <Text span inherit c="var(--p-text-2)" className="p-nowrap">
      {children}
    </Text>
  );
}

function Audience({ tags }: { readonly tags: readonly string[] }) {
  const { texts } = useTexts();
  const [first, ...others] = tags;
  if (first === undefined) return <Quiet>{texts.knowledge.everybody}</Quiet>;
  return (
    <span className="p-tag p-audience" title={tags.join(', ')}>
      <Icon of={Lock} size={12} />
      {first}
      {others.length > 0 && ` +${others.length}`}
    </span>
  );
}
