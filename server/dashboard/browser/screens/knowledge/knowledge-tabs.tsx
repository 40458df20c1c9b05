import { Link } from '@tanstack/react-router';
import { useTexts } from '../../texts/texts.tsx';

interface KnowledgeTabsProps {
  readonly workspace: string;
  readonly current: 'documents' | 'sources' | 'conflicts' | 'evaluation';
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
  };
  return (
    <nav className="p-link-tabs" aria-label={texts.frame.areas.knowledge}>
      {(['documents', 'sources', 'conflicts', 'evaluation'] as const).map((tab) => (
        <Link
          key={tab}
          to={`/w/$workspace/knowledge/${tab}`}
          params={{ workspace }}
          search={{}}
          {...(tab === current && { 'aria-current': 'page' as const })}
        >
          {names[tab]}
          {tab === current && count > 0 && <span className="p-count p-numbers">{count}</span>}
        </Link>
      ))}
    </nav>
  );
}
