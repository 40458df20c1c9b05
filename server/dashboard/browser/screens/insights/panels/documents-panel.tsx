import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../../api/queries/workspace.ts';
import { documentsQuery } from '../insight-queries.ts';
import { useInsightWords } from '../insight-words.ts';
import { Counted, useNumbers } from '../numbers.tsx';
import { useScope } from '../use-scope.ts';
import { BarRows } from './bar-rows.tsx';
import { Panel } from './panel.tsx';

/** The documents that answers rest on, and those that none does. */
export function DocumentsPanel() {
  const words = useInsightWords().documents;
  const { workspace, scope, toggle } = useScope();
  const { number } = useNumbers();
  const may = useMay('knowledge:read');
  const query = useQuery(documentsQuery(workspace, scope));
  return (
    <Panel
      name="documents"
      title={words.title}
      about={words.about}
      query={query}
      isEmpty={({ documents }) => documents === 0}
    >
      {({ used, unused, unused_count: unusedCount, documents }) => (
        <>
          {used.length > 0 && (
            <BarRows
              label={words.title}
              head={[words.name, words.answers, words.thumbs]}
              rows={used.map(({ id, title, answers, thumbs_down: down }) => ({
                ...{ key: id, name: title, size: answers / (used[0]?.answers ?? 1) },
                isOn: scope.document === id,
                onPick: () => toggle('document', id),
                cells: [
                  <Counted key="answers" counts="asked" narrow={{ document: id }} what={title}>
                    {number(answers)}
                  </Counted>,
                  <Counted key="down" counts="thumbs_down" narrow={{ document: id }} what={title}>
                    {number(down)}
                  </Counted>,
                ],
              }))}
            />
          )}
          <Text size="sm" c="var(--p-text-2)" mt="sm">
            {words.unused(unusedCount, documents)}
          </Text>
          {may && unused.length > 0 && (
            <details className="p-insight-table">
              <summary>{words.showUnused}</summary>
              <ul className="p-unused">
                {unused.map(({ id, title }) => (
                  <li key={id}>
                    <Link to={`/w/${workspace}/knowledge/documents/${id}`}>{title}</Link>
                  </li>
                ))}
              </ul>
            </details>
          )}
        </>
      )}
    </Panel>
  );
}
