import { useRouter } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { ErrorState } from '../parts/states/error-state.tsx';
import { useTexts } from '../texts/texts.tsx';

/** A screen that failed while it was drawn, or whose code did not arrive. */
export function ScreenError({ error }: { readonly error: unknown }) {
  const { texts } = useTexts();
  const router = useRouter();
  return (
    <Page title={texts.parts.error.title} width="narrow">
      <ErrorState error={error} onRetry={() => void router.invalidate()} />
    </Page>
  );
}
