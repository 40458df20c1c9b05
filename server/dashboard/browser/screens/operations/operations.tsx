import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMe } from '../../api/queries/me.ts';
import { CircleAlert } from '../../icons.ts';
import { TabLinks } from '../../parts/page/tabs.tsx';
import { Page } from '../../parts/page.tsx';
import { StatusPill } from '../../parts/pills.tsx';
import { NoRight } from '../../parts/states/no-right.tsx';
import { Failures } from './failures.tsx';
import { Life } from './message-life.tsx';
import { installationQuery } from './operations-queries.ts';
import { useOperationsWords } from './operations-words.ts';
import { Overview } from './overview.tsx';
import { Owners } from './owners.tsx';
import '../knowledge/knowledge.css';
import './operations.css';

const tabs = ['now', 'failures', 'message', 'owners'] as const;
const screens = { now: Overview, failures: Failures, message: Life, owners: Owners };

/** The whole installation, for those who run it. */
export function Operations() {
  const words = useOperationsWords();
  const may = useMe().permissions.includes('operations:read');
  const search: { readonly tab?: string } = useSearch({ strict: false });
  const tab = tabs.find((each) => each === search.tab) ?? 'now';
  if (!may) {
    return (
      <Page title={words.title}>
        <NoRight detail={words.right} />
      </Page>
    );
  }
  const Screen = screens[tab];
  return (
    <Page
      title={words.title}
      intro={<Facts />}
      below={<TabLinks label={words.title} tabs={tabs} open={tab} name={(each) => words.tabs[each]} />}
    >
      <Screen />
    </Page>
  );
}

/** How many parts need somebody, and what runs. */
function Facts() {
  const words = useOperationsWords();
  const { data } = useQuery(installationQuery);
  if (data === undefined) return null;
  const ill = data.parts.filter(({ state }) => state === 'failed' || state === 'degraded').length;
  return (
    <span className="p-operations-facts">
      {ill > 0 ? (
        <StatusPill tone="red" icon={CircleAlert}>
          {words.needYou(ill)}
        </StatusPill>
      ) : (
        <StatusPill tone="green">{words.allWell}</StatusPill>
      )}
      {words.version(data.version, data.processes.length)}
    </span>
  );
}
