import { Link } from '@tanstack/react-router';
import { useTexts } from '../../texts/texts.tsx';

interface KnowledgeTabsProps {
  readonly workspace: string;
  readonly count: number;
}

/** The tabs of the area, as links. */
export function KnowledgeTabs({ workspace, count }: KnowledgeTabsProps) {
  const { texts } = useTexts();
  return (
    <nav className="p-link-tabs" aria-label={texts.frame.areas.knowledge}>
      <Link to="/w/$workspace/knowledge/documents" params={{ workspace }} search={{}} aria-current="page">
        {texts.knowledge.documents}
        {count > 0 && <span className="p-count p-numbers">{count}</span>}
      </Link>
    </nav>
  );
}
