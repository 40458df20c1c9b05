import { Cable } from '../../icons.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.tsx';

export function Gallery() {
  const { texts } = useTexts();
  const title = texts.frame.areas.channels;
  return (
    <Page title={title}>
      <EmptyState icon={Cable} title={title} />
    </Page>
  );
}
