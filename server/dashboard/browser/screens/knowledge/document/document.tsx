import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type Document, documentQuery } from '../../../api/queries/documents.ts';
import { useMay, useWorkspace } from '../../../api/queries/workspace.ts';
import { ArrowLeft } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { TabLinks, useTabs } from '../../../parts/page/tabs.tsx';
import { Page } from '../../../parts/page.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { DocumentStatus } from '../document-status.tsx';
import { FailureCard } from '../failure-card.tsx';
import { DocumentActions, StageDocument } from './document-actions.tsx';
import { DocumentSettings } from './document-settings.tsx';
import { Passages } from './passages.tsx';
import { TextAsRead } from './text-as-read.tsx';
import '../knowledge.css';

const tabs = ['text', 'passages', 'settings'] as const;

/** One document: its text as read, its passages as indexed, and its settings. */
export function DocumentPage() {
  const workspace = useWorkspace();
  const { document: id } = useParams({ strict: false });
  if (workspace === null || id === undefined) return null;
  return <DocumentOf workspace={workspace.id} id={id} key={id} />;
}

interface DocumentOfProps {
  readonly workspace: string;
  readonly id: string;
}

function DocumentOf({ workspace, id }: DocumentOfProps) {
  const { texts } = useTexts();
  const words = texts.knowledge.page;
  const may = useMay('knowledge:write');
  const mayStage = useMay('changes:write');
  const { data: document, error, refetch } = useQuery(documentQuery(workspace, id));
  const list = `/w/${workspace}/knowledge/documents`;
  const tab = useTabs({ thing: 'document', tabs, list, backKey: texts.knowledge.keys.back });
  if (document === undefined) {
    return (
      <Page title={texts.knowledge.documents} intro={<Back workspace={workspace} />}>
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
      title={document.title}
      intro={<Facts workspace={workspace} document={document} />}
      action={
        may ? (
          <DocumentActions workspace={workspace} document={document} />
        ) : (
          mayStage && <StageDocument workspace={workspace} document={document} />
        )
      }
      below={
        <TabLinks
          label={document.title}
          tabs={tabs}
          open={tab}
          name={(each) => (
            <>
              {words[each]}
              {each === 'passages' && document.chunks > 0 && (
                <span className="p-count p-numbers">{document.chunks}</span>
              )}
            </>
          )}
        />
      }
    >
      {document.status === 'failed' && (
        <FailureCard workspace={workspace} document={document} may={may} titled={false} />
      )}
      {tab === 'text' && <TextAsRead workspace={workspace} document={document} />}
      {tab === 'passages' && <Passages workspace={workspace} document={document} />}
      {tab === 'settings' && <DocumentSettings workspace={workspace} document={document} may={may} />}
    </Page>
  );
}

function Back({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  return (
    <Link to="/w/$workspace/knowledge/documents" params={{ workspace }} className="p-back">
      <Icon of={ArrowLeft} size={14} />
      {texts.knowledge.page.back}
    </Link>
  );
}

function Facts({ workspace, document }: { readonly workspace: string; readonly document: Document }) {
  const { texts } = useTexts();
  const words = texts.knowledge;
  const { origin, bytes, audience, updated_at: at } = document;
  return (
    <span className="p-head-facts">
      <Back workspace={workspace} />
      <DocumentStatus document={document} />
      {origin !== null && <span>{words.origins[origin]}</span>}
      {bytes > 0 && <span className="p-numbers">{words.bytes(bytes)}</span>}
      <span>{audience.length === 0 ? words.everybody : audience.join(', ')}</span>
      <Text span inherit>
        <TimeAgo at={at} />
      </Text>
    </span>
  );
}
