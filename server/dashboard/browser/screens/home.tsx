import { Navigate } from '@tanstack/react-router';
import { useMe } from '../api/queries/me.ts';
import { Compass } from '../icons.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Page } from '../parts/page.tsx';
import { useTexts } from '../texts/texts.tsx';

/** `/dashboard` leads to the first workspace. */
export function Home() {
  const { texts } = useTexts();
  const [first] = useMe().workspaces;
  if (first !== undefined) return <Navigate to={`/w/${first.id}/knowledge/documents`} replace />;
  const { title, text } = texts.frame.noWorkspace;
  return (
    <Page title={texts.frame.product}>
      <EmptyState icon={Compass} title={title} text={text} />
    </Page>
  );
}
