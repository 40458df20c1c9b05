import { BookOpenText } from '../../icons.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.tsx';

export function Documents() {
  const { texts } = useTexts();
  const title = texts.frame.areas.knowledge;
  return (
    <Page title={title}>
      <EmptyState icon={BookOpenText} title={title} />
    </Page>
  );
}
