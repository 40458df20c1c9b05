import { Link } from '@tanstack/react-router';
import { useTexts } from '../../texts/texts.tsx';

interface KnowledgeTabsProps {
  readonly workspace: string;
  readonly current:
    | 'documents'
    | 'curated'
    | 'gaps'
    | 'sources'
    | 'conflicts'
    | 'evaluation'
    | 'changes'
    | 'tickets';
  /** Of the current tab. */
  readonly count: number;
}

/** The tabs of the area, as links. */
export function KnowledgeTabs({ workspace, current, count }: KnowledgeTabsProps) {
  const { texts } = useTexts();
  const names = {
    documents: texts.knowledge.documents,
    ...texts.frame.knowledge,
    sources: texts.sources.title,
    conflicts: texts.knowledge.conflicts.title,
    evaluation: texts.evaluation.title,
    tickets: texts.frame.tickets,
    changes: texts.frame.changes,
  };
  return (
    <nav className="p-link-tabs" aria-label={texts.frame.areas.knowledge}>
      {(
        ['documents', 'curated', 'gaps', 'sources', 'conflicts', 'evaluation', 'changes', 'tickets'] as const
      ).map((tab) => (
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
