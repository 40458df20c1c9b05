import { Button, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { useMay, useWorkspaceId } from '../../api/queries/workspace.ts';
import { Download } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useInsightWords } from './insight-words.ts';

const MONTHS = 12;

/** The signed file of a month, for people who may see what the installation uses. */
export function MonthlyReport({ since }: { readonly since: string }) {
  const { locale } = useTexts();
  const words = useInsightWords().report;
  const workspace = useWorkspaceId();
  const may = useMay('usage:read');
  const months = pastMonths(since);
  const [chosen, setChosen] = useState<string>();
  const month = chosen ?? months[0];
  if (!may || month === undefined) return null;
  const name = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return (
    <section className="p-card p-report" aria-label={words.title}>
      <Text size="sm">
        <strong>{words.title}</strong>. {words.about}
      </Text>
      <NativeSelect
        size="xs"
        aria-label={words.month}
        value={month}
        data={months.map((value) => ({ value, label: name.format(new Date(`${value}-01`)) }))}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <Button
        component="a"
        size="xs"
        variant="default"
        href={`/admin/v1/workspaces/${workspace}/insights/reports/${month}`}
        download
        leftSection={<Icon of={Download} size={14} />}
      >
        {words.download}
      </Button>
    </section>
  );
}

/** The months that are over and have data, newest first. A month is over when its last day is over everywhere. */
function pastMonths(since: string): readonly string[] {
  const now = new Date(Date.now() - 24 * 3_600_000);
  return Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1 - back, 1)).toISOString().slice(0, 7),
  ).filter((month) => month >= since.slice(0, 7));
}
