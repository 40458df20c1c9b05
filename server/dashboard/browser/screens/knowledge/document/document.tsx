import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type Document, documentQuery } from '../../../api/queries/documents.ts';
import { useMay, useWorkspace } from '../../../api/queries/workspace.ts';
import { ArrowLeft } from '../../../icons.ts';
import { type KeyAction, useKeyActions } from '../../../keys/registry.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Page } from '../../../parts/page.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { DocumentStatus } from '../document-status.tsx';
import { FailureCard } from '../failure-card.tsx';
import { DocumentActions } from './document-actions.tsx';
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
  const { data: document, error, refetch } = useQuery(documentQuery(workspace, id));
  const search: { readonly tab?: string } = useSearch({ strict: false });
  const tab = tabs.find((each) => each === search.tab) ?? 'text';
  useTabKeys(workspace, tab);
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
      action={may && <DocumentActions workspace={workspace} document={document} />}
      below={
        <nav className="p-link-tabs" aria-label={document.title}>
          {tabs.map((each) => (
            <Link
              key={each}
              to="."
              search={{ tab: each === 'text' ? '' : each }}
              {...(each === tab && { 'aria-current': 'page' as const })}
            >
              {words[each]}
              {each === 'passages' && document.chunks > 0 && (
                <span className="p-count p-numbers">{document.chunks}</span>
              )}
            </Link>
          ))}
        </nav>
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

/** `[` and `]` go through the tabs, Escape back to the list. */
function useTabKeys(workspace: string, tab: (typeof tabs)[number]): void {
  const { texts } = useTexts();
  const { page, keys } = texts.knowledge;
  const navigate = useNavigate();
  const actions = useMemo<readonly KeyAction[]>(() => {
    const step = (by: number) => {
      const to = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length];
      void navigate({ to: '.', search: { tab: to === 'text' ? '' : to } });
    };
    const back = () => void navigate({ to: '/w/$workspace/knowledge/documents', params: { workspace } });
    return [
      { id: 'document-next', name: page.nextTab, keys: ']', scope: 'here', run: () => step(1) },
      { id: 'document-previous', name: page.previousTab, keys: '[', scope: 'here', run: () => step(-1) },
      { id: 'document-back', name: keys.back, keys: 'Escape', scope: 'here', run: back },
    ];
  }, [page, keys, navigate, tab, workspace]);
  useKeyActions(actions);
}
