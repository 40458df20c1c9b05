import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** The page about oneself. */
export function MePage() {
  const { texts } = useTexts();
  return (
    <Page title={texts.me.title} width="narrow">
      <span />
    </Page>
  );
}
