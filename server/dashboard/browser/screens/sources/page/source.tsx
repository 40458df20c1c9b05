import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type Source, sourceQuery } from '../../../api/queries/sources.ts';
import { useMay, useWorkspace } from '../../../api/queries/workspace.ts';
import { ArrowLeft } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { TabLinks, useTabs } from '../../../parts/page/tabs.tsx';
import { Page } from '../../../parts/page.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { kindName } from '../kinds.tsx';
import { SourceState } from '../run-state.tsx';
import { SourceAge } from '../source-age.tsx';
import { SourceActions } from './source-actions.tsx';
import { SourceItems } from './source-items.tsx';
import { SourceOverview } from './source-overview.tsx';
import { SourceRuns } from './source-runs.tsx';
import { SourceSettings } from './source-settings.tsx';
import '../../knowledge/knowledge.css';
import '../sources.css';

const tabs = ['overview', 'items', 'runs', 'settings'] as const;

/** One source: its last run, its pages and files, its runs and its settings. */
export function SourcePage() {
  const workspace = useWorkspace();
  const { source: id } = useParams({ strict: false });
  if (workspace === null || id === undefined) return null;
  return <SourceOf workspace={workspace.id} id={id} key={id} />;
}

function SourceOf({ workspace, id }: { readonly workspace: string; readonly id: string }) {
  const { texts } = useTexts();
  const words = texts.sources.page;
  const may = useMay('knowledge:write');
  const { data: source, error, refetch } = useQuery(sourceQuery({ workspace, source: id }));
  const list = `/w/${workspace}/knowledge/sources`;
  const tab = useTabs({ thing: 'source', tabs, list, backKey: words.backKey });
  if (source === undefined) {
    return (
      <Page title={texts.sources.title} intro={<Back workspace={workspace} />}>
        {error === null ? (
          <Skeletons rows={8} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={source.name}
      intro={<Facts workspace={workspace} source={source} />}
      action={may && <SourceActions workspace={workspace} source={source} />}
      below={<TabLinks label={source.name} tabs={tabs} open={tab} name={(each) => words[each]} />}
    >
      {tab === 'overview' && <SourceOverview workspace={workspace} source={source} may={may} />}
      {tab === 'items' && <SourceItems workspace={workspace} source={source} />}
      {tab === 'runs' && <SourceRuns source={source} />}
      {tab === 'settings' && <SourceSettings workspace={workspace} source={source} may={may} />}
    </Page>
  );
}

function Back({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  return (
    <Link to="/w/$workspace/knowledge/sources" params={{ workspace }} className="p-back">
      <Icon of={ArrowLeft} size={14} />
      {texts.sources.title}
    </Link>
  );
}

function Facts({ workspace, source }: { readonly workspace: string; readonly source: Source }) {
  const { texts } = useTexts();
  const { kinds, documents } = texts.sources;
  return (
    <span className="p-head-facts">
      <Back workspace={workspace} />
      <SourceState source={source} />
      <SourceAge source={source} />
      <span>{kindName(source.kind, kinds)}</span>
      <span className="p-numbers">{documents(source.documents)}</span>
      <span>{source.audience.length === 0 ? texts.knowledge.everybody : source.audience.join(', ')}</span>
    </span>
  );
}
