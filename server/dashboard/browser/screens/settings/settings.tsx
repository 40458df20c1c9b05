import { Settings2 } from '../../icons.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.tsx';

export function Settings() {
  const { texts } = useTexts();
  const title = texts.frame.areas.settings;
  return (
    <Page title={title}>
      <EmptyState icon={Settings2} title={title} />
    </Page>
  );
}
