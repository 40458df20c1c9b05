import { Link } from '@tanstack/react-router';
import { useTexts } from '../../texts/texts.tsx';

interface KnowledgeTabsProps {
  readonly workspace: string;
  readonly current: 'documents' | 'sources' | 'conflicts' | 'evaluation' | 'tickets' | 'changes';
  /** Of the current tab. */
  readonly count: number;
}

/** The tabs of the area, as links. */
export function KnowledgeTabs({ workspace, current, count }: KnowledgeTabsProps) {
  const { texts } = useTexts();
  const names = {
    documents: texts.knowledge.documents,
    sources: texts.sources.title,
    conflicts: texts.knowledge.conflicts.title,
    evaluation: texts.evaluation.title,
    tickets: texts.frame.tickets,
    changes: texts.frame.changes,
  };
  return (
    <nav className="p-link-tabs" aria-label={texts.frame.areas.knowledge}>
      {(['documents', 'sources', 'conflicts', 'evaluation', 'tickets', 'changes'] as const).map((tab) => (
        <Link
          key={tab}
          to={`/w/$workspace/knowledge/${tab}`}
          params={{ workspace }}
          search={{}}
          {...(tab === current && { 'aria-current': 'page' as const, ref: showTab })}
        >
          {names[tab]}
          {tab === current && count > 0 && <span className="p-count p-numbers">{count}</span>}
        </Link>
      ))}
    </nav>
  );
}

/** On a phone the tabs scroll, and the open one may be the last. */
function showTab(link: HTMLAnchorElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
