import { Checkbox, Group, Text } from '@mantine/core';
import type { DocumentFilters, ListedDocument } from '../../api/queries/documents.ts';
import { ClipboardType, FileText, Globe, Lock, Quote, RefreshCw, Sprout } from '../../icons.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Icon } from '../../parts/icon.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { DocumentStatus } from './document-status.tsx';

interface DocumentTableProps {
  readonly workspace: string;
  readonly rows: readonly ListedDocument[];
  readonly sort: DocumentFilters['sort'];
  readonly onSort: (sort: DocumentFilters['sort']) => void;
  readonly picked: ReadonlySet<string>;
  /** Null: nothing can be selected. */
  readonly onPick: ((picked: ReadonlySet<string>) => void) | null;
}

const originIcons = {
  file: FileText,
  text: ClipboardType,
  page: Globe,
  demo: Sprout,
  source: RefreshCw,
  curated: Quote,
} as const;

/** Documents as rows. */
export function DocumentTable({ workspace, rows, sort, onSort, picked, onPick }: DocumentTableProps) {
  const { texts } = useTexts();
  const words = texts.knowledge;
  const sortBy = (key: NonNullable<DocumentFilters['sort']>) => ({
    isOn: sort === key,
    onToggle: () => onSort(sort === key ? undefined : key),
  });
  const columns: readonly Column<ListedDocument>[] = [
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
      key: 'answers',
      title: words.answers,
      hint: words.answersHint,
      align: 'end',
      width: 104,
      sort: sortBy('answers'),
      cell: ({ use: { answers } }) => (answers === 0 ? '–' : words.count(answers)),
    },
    {
      key: 'disliked',
      title: words.disliked,
      hint: words.dislikedHint,
      align: 'end',
      width: 124,
      sort: sortBy('disliked'),
      cell: ({ use }) => <Disliked use={use} />,
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
      <DataTable<ListedDocument>
        label={words.documents}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/w/${workspace}/knowledge/documents/${id}`}
        minWidth={1040}
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

/** Of few opinions the counts, as a share would say too much. */
function Disliked({ use: { rated, disliked } }: { readonly use: ListedDocument['use'] }) {
  const { texts } = useTexts();
  const words = texts.knowledge;
  if (rated === 0) return '–';
  const counts = words.ofRated(disliked, rated);
  const isWarning = rated >= 5 && disliked / rated >= 0.3;
  return (
    <Text span inherit title={counts} {...(isWarning && { c: 'var(--p-red)', fw: 500 })}>
      {rated < 5 ? counts : words.share(disliked / rated)}
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
