import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMay, useWorkspace } from '../../api/queries/workspace.ts';
import { ChartNoAxesColumn } from '../../icons.ts';
import { Page } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states/empty-state.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { NoRight } from '../../parts/states/no-right.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { coverageQuery } from './insight-queries.ts';
import { useInsightWords } from './insight-words.ts';
import { MonthlyReport } from './monthly-report.tsx';
import { BreakdownPanel } from './panels/breakdown-panel.tsx';
import { CostPanel } from './panels/cost-panel.tsx';
import { DocumentsPanel } from './panels/documents-panel.tsx';
import { OutcomesPanel } from './panels/outcomes-panel.tsx';
import { PeoplePanel } from './panels/people-panel.tsx';
import { QuestionsPanel } from './panels/questions-panel.tsx';
import { SatisfactionPanel } from './panels/satisfaction-panel.tsx';
import { ScopeBar } from './scope-bar.tsx';
import './insights.css';

/** The numbers of all conversations, on one page. Each panel loads alone, and each row filters all of them. */
export function Insights() {
  const words = useInsightWords();
  const workspace = useWorkspace();
  const may = useMay('insights:read');
  if (workspace === null) return null;
  return (
    <Page title={words.title} {...(may && { below: <ScopeBar /> })}>
      {may ? <Panels workspace={workspace.id} key={workspace.id} /> : <NoRight />}
    </Page>
  );
}

function Panels({ workspace }: { readonly workspace: string }) {
  const { locale } = useTexts();
  const words = useInsightWords();
  const coverage = useQuery(coverageQuery(workspace));
  if (coverage.isPending) return <Skeletons rows={4} height={64} />;
  if (coverage.isError) {
    return <ErrorState error={coverage.error} onRetry={() => void coverage.refetch()} />;
  }
  const { since, counted_until: until, time_zone: zone } = coverage.data;
  if (since === null) {
    return <EmptyState icon={ChartNoAxesColumn} title={words.empty.title} text={words.empty.text} />;
  }
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: zone });
  return (
    <>
      <div className="p-insights">
        <OutcomesPanel />
        <QuestionsPanel />
        <PeoplePanel />
        <BreakdownPanel by="channel" />
        <BreakdownPanel by="language" />
        <SatisfactionPanel />
        <BreakdownPanel by="audience" />
        <BreakdownPanel by="hour" />
        <DocumentsPanel />
        <CostPanel />
      </div>
      <MonthlyReport since={since} />
      <Text size="xs" c="var(--p-text-2)" mt="md">
        {words.since(date.format(new Date(since)))} {words.zone(zone)} {words.countedUntil}{' '}
        <TimeAgo at={until} />.
      </Text>
    </>
  );
}
