import { Navigate } from '@tanstack/react-router';
import { useMe } from '../api/queries/me.ts';
import { areas } from '../frame/areas.ts';
import { Compass } from '../icons.ts';
import { Page } from '../parts/page.tsx';
import { EmptyState } from '../parts/states/empty-state.tsx';
import { useTexts } from '../texts/texts.tsx';

/** `/dashboard` leads to the first workspace, and there to the first area that the person may see. */
export function FirstArea() {
  const { texts } = useTexts();
  const [first] = useMe().workspaces;
  if (first !== undefined) {
    const area = areas.find(({ permission }) => first.permissions.includes(permission)) ?? areas[0];
    return <Navigate to={`/w/${first.id}/${area?.path}`} replace />;
  }
  const { title, text } = texts.frame.noWorkspace;
  return (
    <Page title={texts.frame.product}>
      <EmptyState icon={Compass} title={title} text={text} />
    </Page>
  );
}
